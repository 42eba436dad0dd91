package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import fairlead.api.HolderBody;
import fairlead.cluster.Foresight;
import fairlead.job.Attempt;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobMachine;
import fairlead.job.Samples;
import fairlead.policy.forecast.Holder;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

class HolderWordsTest {
    private static final Duration UNDISTURBED = Duration.ofMinutes(5);
    private static final Foresight NOTHING_KNOWN = _ -> Optional.empty();
    private static final Job WAITING = Samples.job(2, "bob", Samples.training(1, 10));

    @Test
    void whoTrainsGivesAtItsNextEpochAndWhileUndisturbedAtTheFirstAfterThat() {
        assertEquals("at its next epoch", note(Duration.ofMinutes(7)));
        assertEquals("at its first epoch after its undisturbed time", note(UNDISTURBED));
    }

    @Test
    void whatIsExpectedOfAJobOfWhichNothingIsKnownIsCalledAGuess() {
        Job job = Samples.job(1, "ann", Samples.training(1, 10));
        Attempt attempt = Samples.attempt(job, "n");
        job = JobMachine.next(job, new Event.AttemptPlaced(Samples.NOON, attempt));
        var end = Optional.of(Samples.NOON.plusSeconds(3600));
        var holder = new Holder(job, 1, end, Optional.empty(), Optional.empty());
        assertEquals(
                "a guess: nothing is known yet of how long such jobs run",
                HolderWords.body(holder, WAITING, UNDISTURBED, NOTHING_KNOWN).note());
        Foresight known = _ -> Optional.of(Duration.ofMinutes(3));
        assertNull(HolderWords.body(holder, WAITING, UNDISTURBED, known).note());
    }

    /** Of one that has run since noon and is asked to stop so much later. */
    private static String note(Duration asked) {
        Job job = Samples.job(1, "ann", Samples.training(1, 10));
        Attempt attempt = Samples.attempt(job, "n");
        job = JobMachine.next(job, new Event.AttemptPlaced(Samples.NOON, attempt));
        job = JobMachine.next(job, new Event.AttemptStarted(Samples.NOON, attempt.id()));
        job = JobMachine.next(job, new Event.TrainingJoined(Samples.NOON, attempt.id()));
        Instant at = Samples.NOON.plus(asked);
        var holder =
                new Holder(
                        job,
                        1,
                        Optional.of(at.plusSeconds(30)),
                        Optional.of(at),
                        Optional.of(WAITING.id()));
        HolderBody body = HolderWords.body(holder, WAITING, UNDISTURBED, NOTHING_KNOWN);
        assertEquals("gives its GPU", body.gives());
        return body.note();
    }
}
