package fairlead.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Event;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Profile;
import fairlead.job.Samples;
import fairlead.job.StopReason;
import fairlead.job.TaskId;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** What training scripts say, and what is asked of them. */
class ReportsTest {
    private static final JobSpec TRAINING = Samples.training(2, 10);
    private static final JobSpec ONE_GPU = Samples.spec(Samples.role("main", 1, 1));

    private final Loop loop;

    ReportsTest() throws Exception {
        loop = new Loop();
    }

    @Test
    void onlyNewsBecomesAFact() throws Exception {
        JobId id = loop.running(TRAINING);
        tell(id, joined(id));
        tell(id, joined(id));
        tell(id, epoch(id, 1));
        tell(id, epoch(id, 1));
        loop.after(10);
        tell(id, checkpoint(id));
        loop.after(9);
        tell(id, checkpoint(id));
        loop.after(1);
        tell(id, checkpoint(id));
        assertEquals(
                List.of(
                        "Submitted",
                        "AttemptPlaced",
                        "AttemptStarted",
                        "TrainingJoined",
                        "EpochEnded",
                        "CheckpointSaved",
                        "CheckpointSaved"),
                loop.history(id));
    }

    @Test
    void whatCannotBeTrueIsRefused() throws Exception {
        JobId plain = loop.running(ONE_GPU);
        assertRefused(plain + " was not submitted as a training job", plain, joined(plain));
        loop.observe(plain, Map.of(new TaskId("main", 0), Exit.of(0, loop.now)));
        assertRefused(plain + " has ended", plain, joined(plain));
        JobId id = loop.running(TRAINING);
        var second = new AttemptId(id, 2);
        var early = new CompletableFuture<Job>();
        loop.tick(new Message.Trained(second, at -> new Event.TrainingJoined(at, second), early));
        assertRefused("attempt 2 of " + id + " is over", early);
        tell(id, epoch(id, 4));
        assertRefused(
                "epochs go backwards: 3 done were reported, but 4 are known to be done",
                id,
                epoch(id, 3));
        assertRefused(
                "11 epochs done were reported, but the job was submitted with 10",
                id,
                epoch(id, 11));
        assertEquals(10, tell(id, epoch(id, 10)).progress().epochsDone());
    }

    @Test
    void memoryIsNewsOnceItHasGrownByMoreThanAFiftieth() throws Exception {
        JobId id = loop.running(TRAINING);
        Job job = tell(id, at -> new Event.MemoryMeasured(at, Loop.first(id), 1_000));
        assertEquals(1_000, job.progress().profile().memoryBytes());
        for (long bytes : new long[] {1_000, 1_020}) {
            var same = new Event.MemoryMeasured(loop.now, Loop.first(id), bytes);
            assertFalse(Reports.isNews(job, same), "" + bytes);
        }
        assertTrue(Reports.isNews(job, new Event.MemoryMeasured(loop.now, Loop.first(id), 1_021)));
    }

    @Test
    void whoIsAskedToStopAtACheckpointIsStoppedOnceItsPatienceEnds() throws Exception {
        JobId id = askedToStop();
        Instant asked = ((JobState.Stopping) loop.job(id).state()).since();
        assertEquals(List.of(), List.copyOf(loop.tick().owed()), "it is only asked");
        assertEquals(Optional.of(asked.plus(Duration.ofMinutes(10))), loop.tick().wake());
        loop.now = asked.plus(Duration.ofMinutes(10)).minusSeconds(1);
        loop.tick();
        assertTrue(reason(id).atCheckpoint());
        loop.after(1);
        assertFalse(reason(id).atCheckpoint());
        assertEquals(
                List.of(new Owed("local", new Effect.Stop(Loop.first(id)))),
                List.copyOf(loop.tick().owed()));
    }

    @Test
    void aTimeLimitThatPassesMeanwhileDoesNotHurryWhoWasAsked() throws Exception {
        JobSpec plain = Samples.training(1, 10);
        var limited = plain.with(edit -> edit.timeLimit = Optional.of(Duration.ofMinutes(20)));
        JobId id = askedToStop(limited);
        Instant asked = ((JobState.Stopping) loop.job(id).state()).since();
        loop.now = Samples.NOON.plus(Duration.ofMinutes(20));
        assertEquals(Optional.of(asked.plus(Duration.ofMinutes(10))), loop.tick().wake());
        assertTrue(reason(id).atCheckpoint());
    }

    @Test
    void aCheckpointIsNewsToWhoeverWaitsForIt() throws Exception {
        JobId id = askedToStop();
        tell(id, checkpoint(id));
        tell(id, checkpoint(id));
        assertEquals(2, loop.history(id).stream().filter("CheckpointSaved"::equals).count());
    }

    /** A training job with epochs of a minute, whose GPU bob takes because ann has another one. */
    private JobId askedToStop() throws Exception {
        return askedToStop(Samples.training(1, 10));
    }

    private JobId askedToStop(JobSpec training) throws Exception {
        JobId id = loop.running(training);
        loop.running(ONE_GPU);
        loop.after(60);
        tell(id, epoch(id, 1));
        loop.after(600);
        loop.submit("bob", List.of(ONE_GPU));
        assertTrue(reason(id).atCheckpoint());
        return id;
    }

    private StopReason.Preempted reason(JobId id) {
        var stopping = assertInstanceOf(JobState.Stopping.class, loop.job(id).state());
        return (StopReason.Preempted) stopping.reason();
    }

    private Job tell(JobId id, Function<Instant, Event.Report> fact) throws Exception {
        return loop.report(id, fact).get();
    }

    private void assertRefused(String words, JobId id, Function<Instant, Event.Report> fact)
            throws Exception {
        assertRefused(words, loop.report(id, fact));
    }

    private static void assertRefused(String words, CompletableFuture<Job> answer) {
        var refusal = assertThrows(ExecutionException.class, answer::get).getCause();
        assertEquals(words, refusal.getMessage());
        assertEquals(Refused.Kind.CONFLICT, ((Refused) refusal).kind());
    }

    private static Function<Instant, Event.Report> joined(JobId id) {
        return at -> new Event.TrainingJoined(at, Loop.first(id));
    }

    private static Function<Instant, Event.Report> checkpoint(JobId id) {
        return at -> new Event.CheckpointSaved(at, Loop.first(id), 0.5);
    }

    private static Function<Instant, Event.Report> epoch(JobId id, int done) {
        var epoch = new Profile.Epoch(done, OptionalDouble.of(60), OptionalDouble.empty(), 0);
        return at -> new Event.EpochEnded(at, Loop.first(id), epoch);
    }
}
