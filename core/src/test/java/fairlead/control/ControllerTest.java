package fairlead.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.View;
import fairlead.engine.Observation;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Samples;
import fairlead.job.TaskId;
import fairlead.journal.JournalException;
import fairlead.policies.Policies;
import fairlead.policy.Explanation;
import fairlead.policy.Plan;
import fairlead.policy.Policy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

class ControllerTest extends OneNode {
    @Test
    void aSubmitIsPlacedAndOwedALaunchInTheSameTick() throws Exception {
        JobId id = submit("ann", ONE_GPU);
        assertInstanceOf(JobState.Starting.class, job(id).state());
        Owed owed = tick().owed().iterator().next();
        assertEquals(
                new AttemptId(id, 1),
                assertInstanceOf(Effect.Launch.class, owed.effect()).attempt());
        assertEquals(List.of("Submitted", "AttemptPlaced"), history(id));
    }

    @Test
    void aCommitThatFailsHasChangedNothingAndSaysSo() throws Exception {
        JobId running = submit("bob", ONE_GPU);
        tick();
        View before = controller.view("local");
        var answer = new CompletableFuture<Message.Submitted>();
        disk.failing = true;
        assertThrows(
                JournalException.class,
                () -> tick(submitMessage("ann", Optional.of("r1"), answer, ONE_GPU, ONE_GPU)));
        var refusal = assertThrows(ExecutionException.class, answer::get);
        assertEquals(Refused.Kind.UNAVAILABLE, ((Refused) refusal.getCause()).kind());
        assertEquals(List.of(job(running)), List.copyOf(controller.unfinished()));
        disk.failing = false;
        assertEquals(1, tick().owed().size(), "nothing is owed for what was never promised");
        assertEquals(before, controller.view("local"), "who waits, who holds what, what is free");
        JobId id = submit("ann", ONE_GPU);
        assertInstanceOf(JobState.Starting.class, job(id).state(), "the other GPU is still free");
    }

    @Test
    void aTimeLimitHoldsAlsoAfterARestartAndAFailedCommit() throws Exception {
        JobId id = submit("ann", ONE_MINUTE);
        tick(new Message.Observed("local", List.of(seen(new AttemptId(id, 1), Map.of())), 0));
        Instant end = now.plusSeconds(60);
        controller = start(Policies.byName("fair"));
        assertEquals(Optional.of(end), tick().wake());
        disk.failing = true;
        assertThrows(JournalException.class, () -> submit("ann", ONE_GPU));
        disk.failing = false;
        assertEquals(Optional.of(end), tick().wake());
        now = end.minusSeconds(1);
        tick();
        assertInstanceOf(JobState.Running.class, job(id).state());
        now = end;
        tick();
        assertInstanceOf(JobState.Stopping.class, job(id).state());
    }

    @Test
    void eachAttemptHasTheWholeTimeLimit() throws Exception {
        JobId id = submit("ann", ONE_MINUTE);
        tick(new Message.Observed("local", List.of(seen(new AttemptId(id, 1), Map.of())), 0));
        now = now.plusSeconds(40);
        tick(new Message.Observed("local", List.of(), 0));
        assertEquals(1, job(id).losses());
        now = now.plusSeconds(10);
        tick();
        tick(new Message.Observed("local", List.of(seen(new AttemptId(id, 2), Map.of())), 0));
        Instant second = ((JobState.Running) job(id).state()).since();
        assertEquals(now, second);
        now = Samples.NOON.plusSeconds(60);
        tick();
        assertInstanceOf(JobState.Running.class, job(id).state(), "the first one's time is up");
        now = second.plusSeconds(60);
        tick();
        assertInstanceOf(JobState.Stopping.class, job(id).state());
    }

    @Test
    void aRepeatedRequestMakesNothingNewAlsoAfterARestart() throws Exception {
        List<JobId> first = request("ann", "r1", ONE_GPU, ONE_GPU).jobs();
        controller = start(Policies.byName("fair"));
        Message.Submitted again = request("ann", "r1", ONE_GPU, ONE_GPU);
        assertTrue(again.repeated());
        assertEquals(first, again.jobs());
        assertFalse(
                request("bob", "r1", ONE_GPU).repeated(),
                "another owner's request is another request");
        assertEquals(3, controller.unfinished().size());
    }

    @Test
    void theSameRequestTwiceInOneTickMakesOneJob() throws Exception {
        var one = new CompletableFuture<Message.Submitted>();
        var two = new CompletableFuture<Message.Submitted>();
        tick(
                submitMessage("ann", Optional.of("r1"), one, ONE_GPU),
                submitMessage("ann", Optional.of("r1"), two, ONE_GPU));
        assertEquals(one.get().jobs(), two.get().jobs());
    }

    @Test
    void theJobsOfOneRequestStartInItsOrder() throws Exception {
        List<JobId> ids = request("ann", "r1", ONE_GPU, ONE_GPU, ONE_GPU, ONE_GPU).jobs();
        assertInstanceOf(JobState.Starting.class, job(ids.get(0)).state());
        assertInstanceOf(JobState.Starting.class, job(ids.get(1)).state());
        var places = Policies.byName("fair").explain(controller.view("local"));
        assertEquals(ids.subList(2, 4), places.stream().map(Explanation::job).toList());
    }

    @Test
    void anAttemptCountsAsGoneOnlyWhenALookBeganAfterItsCallWasAccepted() throws Exception {
        JobId id = submit("ann", ONE_GPU);
        tick(new Message.Observed("local", List.of(), 0));
        assertInstanceOf(JobState.Starting.class, job(id).state(), "its launch is still under way");
        Effect launch = tick().owed().iterator().next().effect();
        tick(new Message.Acknowledged(launch, 5), new Message.Observed("local", List.of(), 4));
        assertInstanceOf(
                JobState.Starting.class, job(id).state(), "the look began before the answer");
        tick(new Message.Observed("local", List.of(), 5));
        assertInstanceOf(JobState.Queued.class, job(id).state());
        assertEquals(1, job(id).losses());
    }

    @Test
    void whatAnEngineRunsButNobodyOwnsIsToBeForgotten() throws Exception {
        var stray = new AttemptId(new JobId("ghost_1_00000001"), 3);
        Tick tick = tick(new Message.Observed("local", List.of(seen(stray, Map.of())), 0));
        assertEquals(
                List.of(new Owed("local", new Effect.Forget(stray))), List.copyOf(tick.owed()));
        assertEquals(
                List.of(),
                List.copyOf(tick(new Message.Acknowledged(new Effect.Forget(stray), 1)).owed()));
    }

    @Test
    void aFreedGpuGoesToTheNextInTheSameTick() throws Exception {
        List<JobId> ids = request("ann", "r1", ONE_GPU, ONE_GPU, ONE_GPU).jobs();
        var first = new AttemptId(ids.getFirst(), 1);
        var second = new AttemptId(ids.get(1), 1);
        tick(
                new Message.Observed(
                        "local",
                        List.of(
                                seen(first, Map.of(new TaskId("main", 0), Exit.of(0, now))),
                                seen(second, Map.of())),
                        0));
        assertTrue(
                controller.unfinished(ids.getFirst()).isEmpty(), "finished jobs leave the memory");
        assertEquals("succeeded", journal.find(ids.getFirst()).orElseThrow().state().word());
        assertInstanceOf(JobState.Running.class, job(ids.get(1)).state());
        assertInstanceOf(JobState.Starting.class, job(ids.get(2)).state());
    }

    /** Two restarts, before each of which the clock jumps: ahead by a day, then back by two. */
    @ParameterizedTest
    @CsvSource({"PT24H, PT0S", "PT-24H, PT0S", "PT24H, PT-48H"})
    void aTimeLimitDoesNotCountWhatTheClockJumpedBetweenServers(Duration first, Duration second)
            throws Exception {
        JobId id =
                submit(
                        "ann",
                        Samples.spec(
                                0,
                                3,
                                Optional.of(Duration.ofHours(1)),
                                Samples.role("main", 1, 1)));
        var attempt = new AttemptId(id, 1);
        var look = new Message.Observed("local", List.of(seen(attempt, Map.of())), 0);
        tick(look);
        Map<AttemptId, Duration> uncounted = controller.uncounted();
        assertEquals(Map.of(), uncounted);
        for (Duration jump : List.of(first, second)) {
            now = now.plus(jump).plusSeconds(60);
            controller = start(Policies.byName("fair"), jump, uncounted);
            uncounted = controller.uncounted();
            tick(look);
            assertInstanceOf(JobState.Running.class, job(id).state());
        }
        now = now.plus(Duration.ofMinutes(57));
        assertEquals(now.plusSeconds(60), tick().wake().orElseThrow());
        now = now.plusSeconds(60);
        tick();
        assertInstanceOf(JobState.Stopping.class, job(id).state());
        assertEquals(Map.of(), controller.uncounted(), "only of those that run");
    }

    @Test
    void aTimeLimitStopsTheJobWithItsReason() throws Exception {
        JobId id = submit("ann", ONE_MINUTE);
        var attempt = new AttemptId(id, 1);
        Tick started = tick(new Message.Observed("local", List.of(seen(attempt, Map.of())), 0));
        assertEquals(now.plusSeconds(60), started.wake().orElseThrow());
        now = now.plusSeconds(61);
        tick();
        assertInstanceOf(JobState.Stopping.class, job(id).state());
        tick(
                new Message.Observed(
                        "local",
                        List.of(
                                seen(
                                        attempt,
                                        Map.of(new TaskId("main", 0), Exit.stopped(143, "", now)))),
                        0));
        var finished = (JobState.Finished) journal.find(id).orElseThrow().state();
        assertEquals("time limit reached", finished.outcome().reason());
        assertEquals(124, finished.outcome().exitCode());
    }

    @Test
    void aClockThatJumpsBackNeitherBreaksNorReordersAnything() throws Exception {
        JobId before = submit("ann", ONE_GPU);
        now = now.minus(Duration.ofDays(1));
        JobId after = submit("ann", ONE_GPU);
        assertTrue(job(after).submitted().isAfter(job(before).submitted()));
    }

    @Test
    void aPlanThatBreaksAPromiseIsNotCarriedOut() throws Exception {
        controller =
                start(
                        new Policy() {
                            @Override
                            public Plan plan(View view) {
                                Plan good = Policies.byName("fair").plan(view);
                                return new Plan(
                                        good.starts().isEmpty()
                                                ? List.of()
                                                : List.of(
                                                        good.starts().getFirst(),
                                                        good.starts().getFirst()),
                                        List.of());
                            }

                            @Override
                            public List<Explanation> explain(View view) {
                                return List.of();
                            }
                        });
        JobId id = submit("ann", ONE_GPU);
        assertInstanceOf(JobState.Queued.class, job(id).state());
    }

    @Test
    void aPlanThatTimeAloneWouldChangeIsMadeAgainThen() throws Exception {
        controller = start(Policies.byName("las"));
        List<JobId> ids = request("ann", "r1", ONE_GPU, ONE_GPU, ONE_GPU).jobs();
        Tick running =
                tick(
                        new Message.Observed(
                                "local",
                                List.of(
                                        seen(new AttemptId(ids.getFirst(), 1), Map.of()),
                                        seen(new AttemptId(ids.get(1), 1), Map.of())),
                                0));
        assertEquals(Optional.of(now.plusSeconds(3_250)), running.wake());
        now = now.plusSeconds(3_249);
        assertEquals(List.of(), tick().facts());
        now = now.plusSeconds(1);
        tick();
        assertInstanceOf(JobState.Stopping.class, job(ids.get(1)).state());
        assertInstanceOf(JobState.Running.class, job(ids.getFirst()).state());
    }

    @Test
    void aWaitingJobIsCancelledAtOnceAndAFinishedOneRefuses() throws Exception {
        JobId id = request("ann", "r1", ONE_GPU, ONE_GPU, ONE_GPU).jobs().getLast();
        assertEquals("cancelled", cancel(id).get().state().word());
        var refusal = assertThrows(ExecutionException.class, () -> cancel(id).get());
        assertEquals(Refused.Kind.CONFLICT, ((Refused) refusal.getCause()).kind());
    }

    @Test
    void resubmittingCancelsTheOldJobInTheSameCommit() throws Exception {
        JobId old = submit("ann", ONE_GPU);
        var answer = new CompletableFuture<Message.Submitted>();
        tick(
                new Message.Submit(
                        "ann",
                        List.of(ONE_GPU),
                        Optional.empty(),
                        OptionalInt.empty(),
                        List.of(old),
                        answer));
        assertInstanceOf(JobState.Stopping.class, job(old).state());
        assertInstanceOf(JobState.Starting.class, job(answer.get().jobs().getFirst()).state());
    }

    @Test
    void onlyFinishedJobsAreDeleted() throws Exception {
        JobId id = request("ann", "r1", ONE_GPU, ONE_GPU, ONE_GPU).jobs().getLast();
        assertThrows(ExecutionException.class, () -> delete(id).get());
        cancel(id);
        delete(id).get();
        assertTrue(journal.find(id).isEmpty());
    }

    @Test
    void aRestartTakesUpEveryUnfinishedJobAsItStood() throws Exception {
        List<JobId> ids = request("ann", "r1", ONE_GPU, ONE_GPU, ONE_GPU).jobs();
        List<Job> before = ids.stream().map(this::job).toList();
        controller = start(Policies.byName("fair"));
        assertEquals(before, ids.stream().map(this::job).toList());
        assertEquals(2, tick().owed().size(), "both launches are owed again");
    }

    @Test
    void gpuMemoryThatAnEngineSeesIsAFactOfTrainingJobsWhenItIsNews() throws Exception {
        JobId trained = submit("ann", Samples.training(1, 10));
        JobId plain = submit("ann", ONE_GPU);
        see(trained, 4L << 30, plain);
        see(trained, (4L << 30) + 1, plain);
        see(trained, 6L << 30, plain);
        assertEquals(
                List.of(
                        "Submitted",
                        "AttemptPlaced",
                        "AttemptStarted",
                        "MemoryMeasured",
                        "MemoryMeasured"),
                history(trained));
        assertEquals(6L << 30, job(trained).progress().profile().memoryBytes());
        assertFalse(
                job(trained).progress().hasReported(new AttemptId(trained, 1)),
                "the script itself has said nothing");
        assertEquals(List.of("Submitted", "AttemptPlaced", "AttemptStarted"), history(plain));
    }

    private void see(JobId trained, long bytes, JobId plain) throws JournalException {
        var one = new Observation(new AttemptId(trained, 1), true, Map.of(), bytes);
        var other = new Observation(new AttemptId(plain, 1), true, Map.of(), bytes);
        tick(new Message.Observed("local", List.of(one, other), 0));
    }
}
