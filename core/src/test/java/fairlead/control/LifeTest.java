package fairlead.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.Foresight;
import fairlead.cluster.Guest;
import fairlead.cluster.View;
import fairlead.engine.Observation;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Endpoints;
import fairlead.job.Event;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Person;
import fairlead.job.Prediction;
import fairlead.job.Profile;
import fairlead.job.Project;
import fairlead.job.Samples;
import fairlead.job.TaskId;
import fairlead.policy.Explanation;
import fairlead.policy.Plan;
import fairlead.policy.Policy;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** What looks, alarms and people make of a job that has been taken in. */
class LifeTest {
    private static final JobSpec ONE_GPU = Samples.spec(Samples.role("main", 1, 1));
    private static final JobSpec BOTH_GPUS = Samples.spec(Samples.role("main", 1, 2));
    private static final JobSpec RETRIED =
            Samples.spec(0, 1, Optional.empty(), Samples.role("main", 1, 1));
    private static final TaskId FIRST = new TaskId("main", 0);
    private static final TaskId SECOND = new TaskId("main", 1);

    private final Loop loop;

    LifeTest() throws Exception {
        loop = new Loop();
    }

    @Test
    void aJobThatPausesAfterAFailureStartsAgainByItself() throws Exception {
        JobId id = loop.running(RETRIED);
        Tick failed = loop.observe(id, Map.of(FIRST, Exit.of(1, loop.now)));
        assertInstanceOf(JobState.Queued.class, loop.job(id).state());
        Instant again = loop.now.plusSeconds(1);
        assertEquals(Optional.of(again), failed.wake());
        loop.now = again.minusMillis(1);
        loop.tick();
        assertInstanceOf(JobState.Queued.class, loop.job(id).state());
        loop.now = again;
        loop.tick();
        assertInstanceOf(JobState.Starting.class, loop.job(id).state());
        assertEquals(2, loop.job(id).attempts());
    }

    @Test
    void aRestartRemembersThePeopleTheProjectsAndThePast() throws Exception {
        Project lab = Project.named("lab").withQuota(OptionalInt.of(1));
        var ann = new Person("ann", "ab".repeat(32), false, "lab");
        loop.tick(
                new Message.SetProject(lab, new CompletableFuture<>()),
                new Message.SetPerson(ann, new CompletableFuture<>()));
        JobId ended = loop.running(ONE_GPU);
        loop.after(90);
        loop.observe(ended, Map.of(FIRST, Exit.of(0, loop.now)));
        JobId trained = loop.running(Samples.training(2, 1));
        epoch(trained, 40);
        loop.observe(trained, Map.of(FIRST, Exit.of(0, loop.now)));
        JobId training = loop.running(Samples.training(1, 10));
        epoch(training, 60);
        for (int start = 0; start < 2; start++) {
            assertEquals(Map.of("lab", lab), loop.controller.rules().projects());
            assertEquals(Map.of("ann", ann), loop.controller.people());
            Foresight foresight = loop.controller.view("local").foresight();
            assertEquals(
                    Optional.of(Duration.ofSeconds(90)),
                    foresight.runTime(Samples.job(9, "ann", ONE_GPU)));
            assertEquals(
                    Optional.of(Duration.ofSeconds(600)),
                    foresight.runTime(Samples.job(9, "ann", Samples.training(1, 10))));
            assertEquals(
                    Optional.of(Duration.ofSeconds(400)),
                    foresight.runTime(Samples.job(9, "ann", Samples.training(2, 10))));
            assertEquals(
                    List.of("local"),
                    loop.controller.clusters().stream().map(Cluster::name).toList());
            loop.restart();
        }
    }

    private void epoch(JobId id, double seconds) throws Exception {
        loop.after((long) seconds);
        var epoch = new Profile.Epoch(1, OptionalDouble.of(seconds), OptionalDouble.empty(), 0);
        loop.report(id, at -> new Event.EpochEnded(at, Loop.first(id), epoch)).get();
    }

    @Test
    void aClockThatWentBackOverARestartKeepsTheOrderOfSubmits() throws Exception {
        JobId before = loop.submit(ONE_GPU);
        loop.now = loop.now.minusSeconds(3_600);
        loop.restart();
        JobId after = loop.submit(ONE_GPU);
        assertTrue(loop.job(after).submitted().isAfter(loop.job(before).submitted()));
        loop.now = Samples.NOON.plusSeconds(100);
        JobId later = loop.submit(ONE_GPU);
        assertEquals(loop.now, loop.job(later).submitted());
    }

    @Test
    void whoIsCancelledIsNotHurried() throws Exception {
        JobId id = loop.running(ONE_GPU);
        Tick cancelled = loop.tick(new Message.Cancel(id, "ann", new CompletableFuture<>()));
        assertEquals(Optional.empty(), cancelled.wake());
        loop.after(24 * 3_600);
        assertInstanceOf(JobState.Stopping.class, loop.job(id).state());
    }

    @Test
    void aTickTellsEachJobAsItsFactLeftIt() throws Exception {
        var answer = new CompletableFuture<Job>();
        JobId id = loop.running(ONE_GPU);
        Tick tick = loop.tick(new Message.ChangePriority(id, 3, "ann", answer));
        assertEquals(List.of(answer.get()), tick.after());
        assertEquals(1, tick.facts().size());
    }

    @Test
    void aWakeThatIsNotLaterWakesNobody() throws Exception {
        var hasty =
                new Policy() {
                    @Override
                    public Plan plan(View view) {
                        return new Plan(List.of(), List.of(), Optional.of(view.now()));
                    }

                    @Override
                    public List<Explanation> explain(View view) {
                        return List.of();
                    }
                };
        assertEquals(Optional.empty(), new Loop(hasty, new SplittableRandom(1)).tick().wake());
    }

    @Test
    void guestsAreShownAsTheyAreSeen() throws Exception {
        var guest =
                new Guest(
                        "pod",
                        "space",
                        "bob",
                        0,
                        1,
                        Optional.of("node"),
                        "Running",
                        loop.now,
                        Optional.empty());
        loop.tick(new Message.GuestsSeen("local", List.of(guest)));
        assertEquals(List.of(guest), loop.controller.view("local").guests());
    }

    @Test
    void whatAnEngineAcceptedStaysAcceptedWhenTheJobChanges() throws Exception {
        JobId id = loop.submit(ONE_GPU);
        Effect launch = loop.tick().owed().iterator().next().effect();
        loop.tick(new Message.Acknowledged(launch, 5));
        change(id, 3).get();
        loop.tick(new Message.Observed("local", List.of(), 5));
        assertEquals(1, loop.job(id).losses());
    }

    @Test
    void anEndedAttemptIsForgottenByItsEngine() throws Exception {
        JobId id = loop.running(ONE_GPU);
        Tick ended = loop.observe(id, Map.of(FIRST, Exit.of(0, loop.now)));
        var forget = new Owed("local", new Effect.Forget(Loop.first(id)));
        assertEquals(List.of(forget), List.copyOf(ended.owed()));
        Tick seenAgain =
                loop.tick(
                        new Message.Observed(
                                "local",
                                List.of(new Observation(Loop.first(id), true, Map.of())),
                                0));
        assertEquals(List.of(forget), List.copyOf(seenAgain.owed()), "once is enough");
        assertEquals(
                List.of(),
                List.copyOf(loop.tick(new Message.Acknowledged(forget.effect(), 1)).owed()));
    }

    @Test
    void theFirstTaskThatFailsDecidesForTheGang() throws Exception {
        JobId id = loop.running(Samples.spec(Samples.role("main", 2, 1)));
        loop.observe(id, Map.of(FIRST, Exit.of(3, loop.now)));
        assertInstanceOf(JobState.Stopping.class, loop.job(id).state());
        loop.observe(
                id, Map.of(FIRST, Exit.of(3, loop.now), SECOND, Exit.stopped(143, "", loop.now)));
        var over = (JobState.Finished) loop.journal.find(id).orElseThrow().state();
        assertEquals(3, over.outcome().exitCode());
        assertEquals(
                List.of(
                        "Submitted",
                        "AttemptPlaced",
                        "AttemptStarted",
                        "TasksEnded",
                        "AttemptDecided",
                        "TasksEnded",
                        "AttemptEnded"),
                loop.history(id));
    }

    @Test
    void aCallAboutAnotherAttemptProvesNothing() throws Exception {
        JobId id = loop.submit(ONE_GPU);
        loop.tick(new Message.Acknowledged(new Effect.Stop(Loop.first(id)), 1));
        loop.tick(new Message.Observed("local", List.of(), 9));
        assertInstanceOf(JobState.Starting.class, loop.job(id).state(), "the launch was not");
    }

    @Test
    void whatKeepsAJobFromStartingIsToldUntilItStarts() throws Exception {
        JobId id = loop.submit(ONE_GPU);
        assertEquals(Optional.empty(), loop.controller.trouble(loop.job(id)));
        look(id, false, "no such image");
        assertEquals(Optional.of("no such image"), loop.controller.trouble(loop.job(id)));
        look(id, true, "no such image");
        assertEquals(Optional.empty(), loop.controller.trouble(loop.job(id)));
    }

    private void look(JobId id, boolean running, String trouble) throws Exception {
        var seen =
                new Observation(
                        Loop.first(id), running, Map.of(), 0, Optional.of(trouble), Endpoints.NONE);
        loop.tick(new Message.Observed("local", List.of(seen), 0));
    }

    @Test
    void aChangedPriorityIsAnsweredAndReordersTheQueue() throws Exception {
        loop.running(BOTH_GPUS);
        JobId early = loop.submit(ONE_GPU);
        JobId late = loop.submit(ONE_GPU);
        assertEquals(5, change(late, 5).get().priority());
        List<Job> queue = loop.controller.view("local").queues().getFirst().gpuJobs();
        assertEquals(List.of(late, early), queue.stream().map(Job::id).toList());
        loop.tick(new Message.Cancel(late, "ann", new CompletableFuture<>()));
        var refusal =
                assertThrows(ExecutionException.class, () -> change(late, 6).get()).getCause();
        assertEquals(late + " has already ended", refusal.getMessage());
        assertEquals(Refused.Kind.CONFLICT, ((Refused) refusal).kind());
    }

    private CompletableFuture<Job> change(JobId id, int priority) throws Exception {
        var answer = new CompletableFuture<Job>();
        loop.tick(new Message.ChangePriority(id, priority, "ann", answer));
        return answer;
    }

    @Test
    void whatWasForetoldFirstIsKept() throws Exception {
        JobId running = loop.running(BOTH_GPUS);
        JobId waiting = loop.submit(ONE_GPU);
        Prediction first = in(60);
        loop.tick(new Message.Predicted(Map.of(running, first, waiting, first)));
        loop.tick(new Message.Predicted(Map.of(waiting, in(90))));
        assertEquals(Optional.of(first), loop.job(waiting).prediction());
        assertEquals(Optional.empty(), loop.job(running).prediction());
    }

    private Prediction in(long seconds) {
        Instant at = loop.now.plusSeconds(seconds);
        return Prediction.of(at, at, at.plusSeconds(1));
    }

    @Test
    void aJobThatEndsInThisTickIsNotDeletedInIt() throws Exception {
        loop.running(BOTH_GPUS);
        JobId id = loop.submit(ONE_GPU);
        var deleted = new CompletableFuture<List<JobId>>();
        loop.tick(
                new Message.Cancel(id, "ann", new CompletableFuture<>()),
                new Message.Delete(List.of(id), deleted));
        var refusal = assertThrows(ExecutionException.class, deleted::get).getCause();
        assertEquals(id + " is still active; abort it first", refusal.getMessage());
        assertEquals("cancelled", loop.journal.find(id).orElseThrow().state().word());
    }

    @Test
    void whoHasEndedIsNotCountedAgainByTheLookOfTheSameTick() throws Exception {
        JobId id = loop.running(ONE_GPU);
        var ended = new Observation(Loop.first(id), true, Map.of(FIRST, Exit.of(0, loop.now)));
        Message look = new Message.Observed("local", List.of(ended), 0);
        loop.tick(look, look);
        assertEquals(
                List.of(
                        "Submitted",
                        "AttemptPlaced",
                        "AttemptStarted",
                        "TasksEnded",
                        "AttemptEnded"),
                loop.history(id));
    }

    @Test
    void aStopThatIsOwedIsGoneWhenALookBehindItShowsNothing() throws Exception {
        JobId id = loop.running(ONE_GPU);
        loop.tick(new Message.Cancel(id, "ann", new CompletableFuture<>()));
        var stop = new Effect.Stop(new AttemptId(id, 1));
        loop.tick(new Message.Observed("local", List.of(), 9));
        assertInstanceOf(JobState.Stopping.class, loop.job(id).state(), "not accepted yet");
        loop.tick(new Message.Acknowledged(stop, 10));
        loop.tick(new Message.Observed("local", List.of(), 9));
        assertInstanceOf(JobState.Stopping.class, loop.job(id).state(), "the look is older");
        loop.tick(new Message.Observed("local", List.of(), 10));
        assertEquals("cancelled", loop.journal.find(id).orElseThrow().state().word());
    }
}
