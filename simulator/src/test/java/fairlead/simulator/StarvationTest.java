package fairlead.simulator;

import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.journal.JournalException;
import fairlead.testing.Seeds;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Goal: under the fair policy nobody waits for ever, however many others come. Method: the real
 * controller in virtual time with more work than the cluster can do, from a seed.
 */
@Tag("slow")
class StarvationTest {
    private static final Trace.Shape SHAPE = new Trace.Shape(4, 4);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Duration GANG_RUNS = Duration.ofMinutes(30);
    private static final Duration DAY = Duration.ofDays(1);

    /** How long others go on to come after a gang: longer than it may wait for them. */
    private static final Duration OTHERS_COME = LONGEST.multipliedBy(3);

    /** So long after its last chance to be stopped for another, a job has been stopped. */
    private static final Duration UNDISTURBED_AND_A_LITTLE = Duration.ofMinutes(6);

    /** A gang of the whole cluster waits for those who run, not for what others have in line. */
    @Seeds(20)
    void aGangStartsOnceThoseWhoRunHaveEnded(long seed) throws Exception {
        for (Duration comes : List.of(Duration.ofMinutes(10), Duration.ofHours(6))) {
            Gang gang = gang("fair", seed, comes, comes.plus(OTHERS_COME));
            assertTrue(gang.waited().compareTo(LONGEST.multipliedBy(2)) <= 0, gang::toString);
        }
    }

    /** Or the test above would prove nothing. */
    @Test
    void withoutAReservationTheSameGangWaitsForMostOfTheDay() throws Exception {
        for (long seed = 0; seed < 5; seed++) {
            Gang gang = gang("backfill", seed, Duration.ofMinutes(10), DAY);
            assertTrue(gang.waited().compareTo(LONGEST.multipliedBy(12)) > 0, gang::toString);
        }
    }

    /** What became of the gang. */
    private record Gang(Duration comes, Duration starts) {
        Duration waited() {
            return starts.minus(comes);
        }
    }

    private static Gang gang(String policy, long seed, Duration comes, Duration othersCome)
            throws JournalException {
        var jobs = stream(new SplittableRandom(seed), othersCome);
        var gang = new TraceJob("gang", "gus", comes, SHAPE.gpus(), GANG_RUNS);
        jobs.add(gang);
        var trace = new Trace(jobs);
        Duration finish = replay(policy, trace).finish().get(trace.jobs().indexOf(gang));
        return new Gang(comes, finish.minus(GANG_RUNS));
    }

    /** Small jobs of six owners for so long, a half more than the cluster can do. */
    private static List<TraceJob> stream(SplittableRandom dice, Duration come) {
        var jobs = new ArrayList<TraceJob>();
        double seconds = 0;
        while (seconds < come.toSeconds()) {
            int gpus = 1 << dice.nextInt(3);
            int runs = 300 + dice.nextInt((int) LONGEST.toSeconds() - 300);
            jobs.add(
                    new TraceJob(
                            "small-" + jobs.size(),
                            "owner-" + dice.nextInt(6),
                            Duration.ofMillis((long) (seconds * 1_000)),
                            gpus,
                            Duration.ofSeconds(runs)));
            seconds += runs * gpus / (1.5 * SHAPE.gpus());
        }
        return jobs;
    }

    /** One's first GPU goes before anyone's second: there is always somebody with many to stop. */
    @Seeds(20)
    void whoeverHasLittleNeverWaitsForWhoeverHasMuch(long seed) throws Exception {
        var dice = new SplittableRandom(seed);
        var jobs = new ArrayList<TraceJob>();
        for (int i = 0; i < 600; i++) {
            jobs.add(
                    new TraceJob(
                            "much-" + i,
                            "mat",
                            Duration.ZERO,
                            1,
                            Duration.ofMinutes(10 + dice.nextInt(50))));
        }
        for (int i = 0; i < 12; i++) {
            jobs.add(
                    new TraceJob(
                            "little-" + i,
                            "lea",
                            Duration.ofMinutes(60 * i + dice.nextInt(60)),
                            1,
                            Duration.ofMinutes(10)));
        }
        var trace = new Trace(jobs);
        Replay.Result result = replay("fair", trace);
        for (TraceJob job : jobs) {
            if (!job.owner().equals("lea")) continue;
            Duration finish = result.finish().get(trace.jobs().indexOf(job));
            Duration waited = finish.minus(job.runTime()).minus(job.submit());
            assertTrue(
                    waited.compareTo(UNDISTURBED_AND_A_LITTLE) <= 0,
                    job.id() + " waited " + waited);
        }
    }

    private static Replay.Result replay(String policy, Trace trace) throws JournalException {
        return new Replay(policy, trace, new Replay.Setting(SHAPE, Duration.ZERO, Duration.ZERO, 0))
                .run();
    }
}
