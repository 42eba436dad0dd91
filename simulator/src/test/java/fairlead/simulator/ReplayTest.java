package fairlead.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import fairlead.policies.Policies;
import fairlead.testing.Seeds;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Small traces whose ends can be computed by hand. */
class ReplayTest {
    private static final Trace.Shape FOUR = new Trace.Shape(1, 4);

    @Test
    void aPreemptedJobGoesOnWhereItWas() throws Exception {
        var result = run("srtf", trace(job(0, 4, 100), job(10, 4, 20)), FOUR, 0, 0);
        assertEquals(List.of(120L, 30L), seconds(result));
        assertEquals(1, result.preemptions());
        assertEquals(Duration.ofSeconds(4 * 120), result.busy());
    }

    @Test
    void everyStartCostsTheRestart() throws Exception {
        var result = run("srtf", trace(job(0, 4, 100), job(10, 4, 20)), FOUR, 0, 5);
        assertEquals(List.of(135L, 35L), seconds(result), "5 s at 0, at 10 and at 35");
        assertEquals(Duration.ofSeconds(4 * 135), result.busy());
    }

    @Test
    void workThatTheRestartCostHasNotLetBeginIsNotCounted() throws Exception {
        var result = run("srtf", trace(job(0, 4, 100), job(3, 4, 20)), FOUR, 0, 5);
        assertEquals(List.of(133L, 28L), seconds(result));
    }

    @Test
    void inRoundsNothingIsDecidedInBetween() throws Exception {
        var result = run("fifo", trace(job(0, 4, 50), job(10, 4, 20), job(61, 4, 20)), FOUR, 60, 0);
        assertEquals(
                List.of(50L, 80L, 140L), seconds(result), "free at 50 and 80, given at rounds");
    }

    @Test
    void whatEndsAndWhatComesInOneInstantIsDecidedTogether() throws Exception {
        var result = run("srgf", trace(job(0, 4, 50), job(50, 4, 20)), FOUR, 0, 0);
        assertEquals(List.of(50L, 70L), seconds(result));
        assertEquals(0, result.preemptions());
    }

    @Test
    void aJobLargerThanANodeTakesFullNodesAndARest() throws Exception {
        var shape = new Trace.Shape(3, 4);
        var result = run("fifo", trace(job(0, 6, 50), job(0, 4, 50), job(0, 2, 50)), shape, 0, 0);
        assertEquals(List.of(50L, 50L, 50L), seconds(result), "4 and 2, 4, and 2 beside the 2");
    }

    @Test
    void theSameTraceAndSeedGiveTheSameResultUnderEveryPolicy() throws Exception {
        Trace trace = randomTrace(3);
        var shape = new Trace.Shape(4, 4);
        for (String policy : Policies.names()) {
            assertEquals(
                    run(policy, trace, shape, 60, 30), run(policy, trace, shape, 60, 30), policy);
        }
        assertNotEquals(run("fifo", trace, shape, 0, 0), run("srtf", trace, shape, 0, 0));
    }

    /** No policy gives anyone less than their run time, or works while there is nothing to do. */
    @Seeds(10)
    void everyJobGetsItsRunTimeUnderEveryPolicy(long seed) throws Exception {
        var shape = new Trace.Shape(4, 4);
        Trace trace = randomTrace(seed);
        Duration work = Duration.ZERO;
        for (TraceJob job : trace.jobs()) {
            work = work.plus(job.runTime().multipliedBy(job.gpus()));
        }
        for (String policy : Policies.names()) {
            var result = run(policy, trace, shape, 0, 0);
            assertEquals(work, result.busy(), policy);
        }
    }

    private static Trace randomTrace(long seed) {
        var dice = new SplittableRandom(seed);
        var jobs = new ArrayList<TraceJob>();
        for (int i = 0; i < 60; i++) {
            jobs.add(
                    new TraceJob(
                            "job-" + i,
                            "owner-" + dice.nextInt(3),
                            Duration.ofMillis(dice.nextInt(3_600_000)),
                            dice.nextInt(1, 17),
                            Duration.ofMillis(dice.nextInt(1, 3_600_000))));
        }
        return new Trace(jobs);
    }

    static TraceJob job(int submit, int gpus, int runTime) {
        return new TraceJob(
                "job", "ann", Duration.ofSeconds(submit), gpus, Duration.ofSeconds(runTime));
    }

    static Trace trace(TraceJob... jobs) {
        return new Trace(List.of(jobs));
    }

    private static Replay.Result run(
            String policy, Trace trace, Trace.Shape shape, int round, int restart)
            throws Exception {
        var setting =
                new Replay.Setting(
                        shape, Duration.ofSeconds(round), Duration.ofSeconds(restart), 1);
        return new Replay(policy, trace, setting).run();
    }

    private static List<Long> seconds(Replay.Result result) {
        return result.finish().stream().map(Duration::toSeconds).toList();
    }
}
