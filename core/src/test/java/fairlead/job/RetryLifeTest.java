package fairlead.job;

import static fairlead.job.Samples.NOON;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.RetryPolicy.Kind;
import fairlead.job.RetryPolicy.Tries;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What a retry policy makes of a job's life (items O37 to O41 of OpenPAI's rules). */
class RetryLifeTest {
    private static final Instant LATER = NOON.plusSeconds(3_600);
    private static final Map<Integer, Kind> KINDS =
            Map.of(
                    205,
                    Kind.TRANSIENT,
                    206,
                    Kind.PERMANENT,
                    190,
                    Kind.CONFLICT,
                    137,
                    Kind.TRANSIENT);

    @Test
    void o37WithMinusTwoASuccessIsTriedAgainForEver() {
        Job job = job(RetryPolicy.ALWAYS);
        for (int i = 1; i <= 50; i++) {
            job = exit(job, i % 2 == 0 ? 0 : 206);
            assertInstanceOf(JobState.Queued.class, job.state());
        }
        assertEquals(new Tries(25, 0, 0, 25, 0), job.tries());
        Job cancelled = JobMachine.next(job, new Event.CancelRequested(LATER, "ann"));
        assertTrue(cancelled.isFinished());
    }

    @Test
    void o37WithMinusOneOnlyASuccessEndsUnknownFailures() {
        Job job = job(RetryPolicy.WITHOUT_LIMIT);
        for (int i = 1; i <= 50; i++) job = exit(job, 1);
        assertInstanceOf(JobState.Queued.class, job.state());
        assertEquals(50, job.tries().unknowns());
        assertEquals("succeeded", exit(job, 0).state().word());
    }

    @Test
    void o38TransientAndLostAttemptsNeverUseUpTheLimit() {
        Job job = job(1);
        for (int i = 1; i <= 30; i++) job = exit(job, 205);
        for (int i = 1; i <= JobMachine.LOSSES_MAX; i++) {
            job = end(start(job), new Verdict.Lost("gone"));
        }
        job = exit(job, 1);
        assertInstanceOf(JobState.Queued.class, job.state());
        assertEquals(new Tries(0, 30 + JobMachine.LOSSES_MAX, 0, 0, 1), job.tries());
        assertEquals("failed", exit(job, 1).state().word());
    }

    @Test
    void o38APermanentFailureIsNeverTriedAgain() {
        Job over = exit(job(RetryPolicy.WITHOUT_LIMIT), 206);
        assertEquals("failed", over.state().word());
        assertEquals(Tries.NONE, over.tries());
    }

    @Test
    void evenWhoAlwaysTriesAgainStopsWhenItIsLostTooOftenInARow() {
        Job job = job(RetryPolicy.ALWAYS);
        for (int i = 1; i <= JobMachine.LOSSES_MAX; i++) {
            job = end(start(job), new Verdict.Lost("gone"));
        }
        assertEquals("queued", exit(job, 0).state().word(), "a success begins the row anew");
        assertEquals("queued", end(start(exit(job, 0)), lost()).state().word());
        assertEquals("failed", end(start(job), lost()).state().word());
    }

    /** Goal: a replay pauses alike. Method: the same facts twice, and many jobs beside them. */
    @Test
    void o39AConflictPausesAtRandomButAReplayPausesAlike() {
        var pauses = new HashSet<Duration>();
        for (int number = 1; number <= 20; number++) {
            Job job = conflicts(number);
            assertEquals(pauseOf(job), pauseOf(conflicts(number)));
            assertTrue(pauseOf(job).toSeconds() >= 600 && pauseOf(job).toSeconds() <= 3_600);
            pauses.add(pauseOf(job));
        }
        assertTrue(pauses.size() > 10, "they pause alike: " + pauses);
    }

    private static Job conflicts(int number) {
        Job job = job(number, 0);
        for (int i = 0; i < 7; i++) job = exit(job, 190);
        return job;
    }

    @Test
    void theUsualPauseStandsBetweenAnyTwoAttempts() {
        Job once = exit(job(RetryPolicy.ALWAYS), 0);
        assertEquals(Duration.ofSeconds(1), pauseOf(once));
        assertEquals(Duration.ofSeconds(2), pauseOf(exit(once, 205)));
        Job often = once;
        for (int i = 0; i < 20; i++) often = exit(often, 0);
        assertEquals(Duration.ofMinutes(1), pauseOf(often));
    }

    @Test
    void o40APreemptionCountsAsTransient() {
        Job running = start(job(0));
        var order = new Event.PreemptRequested(LATER, attemptOf(running), running.id(), "why");
        Job stopping = JobMachine.next(running, order);
        Job queued = end(stopping, new Verdict.Failed(143, "stopped"));
        assertEquals(new Tries(0, 1, 0, 0, 0), queued.tries());
        assertEquals("queued", queued.state().word());
    }

    @Test
    void o40AJobThatTookTooMuchMemoryIsOver() {
        Job running = start(job(RetryPolicy.WITHOUT_LIMIT));
        var exit = new Exit(OptionalInt.of(137), false, true, "out of memory", LATER);
        var ended =
                new Event.TasksEnded(
                        LATER, attemptOf(running), Map.of(new TaskId("main", 0), exit));
        Job job = end(JobMachine.next(running, ended), new Verdict.Failed(137, "killed"));
        assertEquals("failed", job.state().word());
        assertEquals("queued", exit(job(RetryPolicy.WITHOUT_LIMIT), 137).state().word());
    }

    @Test
    void aCountAndAPolicyDoNotGoTogether() {
        assertThrows(SpecException.class, () -> spec(1, new RetryPolicy(1, KINDS)));
    }

    private static Verdict lost() {
        return new Verdict.Lost("gone");
    }

    private static Job job(int limit) {
        return job(1, limit);
    }

    private static Job job(int number, int limit) {
        return Samples.job(number, "ann", spec(0, new RetryPolicy(limit, KINDS)));
    }

    private static JobSpec spec(int retries, RetryPolicy policy) {
        JobSpec plain = Samples.spec(Samples.role("main", 1, 1));
        var spec = new JobSpec.Edit(plain);
        spec.retries = retries;
        spec.retry = Optional.of(policy);
        return spec.spec();
    }

    private static Job exit(Job job, int code) {
        return end(
                start(job),
                code == 0 ? new Verdict.Succeeded() : new Verdict.Failed(code, "exit " + code));
    }

    private static Job start(Job job) {
        Job placed =
                JobMachine.next(job, new Event.AttemptPlaced(NOON, Samples.attempt(job, "node-a")));
        return JobMachine.next(placed, new Event.AttemptStarted(NOON, attemptOf(placed)));
    }

    private static Job end(Job job, Verdict verdict) {
        return JobMachine.next(job, new Event.AttemptEnded(LATER, attemptOf(job), verdict));
    }

    private static AttemptId attemptOf(Job job) {
        return ((JobState.Active) job.state()).attempt().id();
    }

    private static Duration pauseOf(Job job) {
        var queued = assertInstanceOf(JobState.Queued.class, job.state());
        return Duration.between(queued.since(), queued.notBefore());
    }
}
