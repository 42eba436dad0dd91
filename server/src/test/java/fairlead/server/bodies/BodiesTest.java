package fairlead.server.bodies;

import static fairlead.journal.JournalFixtures.NOON;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.EventBody;
import fairlead.api.JobBody;
import fairlead.api.TaskBody;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.Verdict;
import fairlead.journal.JournalFixtures;
import fairlead.journal.JournalFixtures.Life;
import fairlead.policy.forecast.Forecast;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

class BodiesTest {
    private static final JobBodies JOBS = new JobBodies(List.of());
    private static final Life SUBMITTED = Life.of(JournalFixtures.job(1));

    @Test
    void aWaitingJobHasAPlaceAndNoTasks() {
        JobBody body =
                JOBS.job(
                        SUBMITTED.job(),
                        Optional.of(
                                new Bodies.Standing(
                                        3,
                                        Optional.of(
                                                new Forecast.Band(
                                                        NOON,
                                                        NOON.plusSeconds(5),
                                                        NOON.plusSeconds(9))))),
                        Optional.empty(),
                        JobBodies.Command.BEGINNING);
        assertEquals("queued", body.state());
        assertEquals(3, body.place());
        assertEquals(NOON.toString(), body.predictedEarliest());
        assertEquals(NOON.plusSeconds(5).toString(), body.predictedStart());
        assertEquals(NOON.plusSeconds(9).toString(), body.predictedLatest());
        assertEquals("python3 train.py --lr 0.1", body.command());
        assertEquals("2026-11-15T12:00:01.123456789Z", body.submitted());
        assertEquals(
                List.of("mnist", "ann", "default", "local"),
                List.of(body.name(), body.owner(), body.project(), body.cluster()));
        assertEquals(List.of(1, 1, 0), List.of(body.gpus(), body.tasks(), body.attempts()));
        assertNull(body.started());
        assertNull(body.finished());
        assertNull(body.exitCode());
        assertEquals(List.of(), body.nodes());
        assertEquals(List.of(), Bodies.tasks(SUBMITTED.job()));
    }

    @Test
    void aRunningJobSaysSinceWhenAndWhere() {
        Life running = SUBMITTED.started();
        JobBody body = JOBS.job(running.job());
        assertEquals("running", body.state());
        assertEquals("2026-11-15T12:00:01.138456789Z", body.started());
        assertEquals(List.of("node1"), body.nodes());
        assertNull(body.place());
        assertEquals(
                List.of(
                        new TaskBody(
                                "main/0",
                                "running",
                                "node1",
                                List.of(3),
                                null,
                                null,
                                null,
                                null,
                                null)),
                Bodies.tasks(running.job()));
    }

    @Test
    void aFinishedJobSaysHowItEndedAndFromItsHistoryWhenItStarted() {
        Life over = SUBMITTED.started().ended(0, NOON.plusSeconds(60));
        JobBody body = JOBS.job(over.job());
        assertEquals("succeeded", body.state());
        assertEquals(0, body.exitCode());
        assertNull(body.reason());
        assertEquals("2026-11-15T12:00:01.138456789Z", body.started());
        assertEquals("2026-11-15T12:01:00.123456789Z", body.finished());
        assertEquals(
                List.of(
                        new TaskBody(
                                "main/0",
                                "succeeded",
                                "node1",
                                List.of(3),
                                null,
                                null,
                                0,
                                null,
                                null)),
                Bodies.tasks(over.job()));
    }

    @Test
    void theStartIsThatOfTheAttemptWhichTheJobHasNow() {
        Life placedAgain = SUBMITTED.started().ended(3, NOON.plusSeconds(60));
        assertEquals("queued", placedAgain.job().state().word());
        JobBody waiting = JOBS.job(placedAgain.job());
        assertEquals("2026-11-15T12:00:01.138456789Z", waiting.started(), "its last attempt");
    }

    @Test
    void tasksOfAnEndedAttemptAreFailedOrLost() {
        Life running = SUBMITTED.started();
        var id = new AttemptId(running.job().id(), 1);
        var lost = Map.of(JournalFixtures.MAIN, Exit.lost("the node went away", NOON));
        Life ended = running.then(new Event.TasksEnded(NOON, id, lost));
        assertEquals(
                List.of(
                        new TaskBody(
                                "main/0",
                                "lost",
                                "node1",
                                List.of(3),
                                null,
                                null,
                                null,
                                "the node went away",
                                null)),
                Bodies.tasks(ended.job()));
        var failed = Map.of(JournalFixtures.MAIN, Exit.of(9, NOON));
        assertEquals(
                List.of(
                        new TaskBody(
                                "main/0",
                                "failed",
                                "node1",
                                List.of(3),
                                null,
                                null,
                                9,
                                null,
                                null)),
                Bodies.tasks(running.then(new Event.TasksEnded(NOON, id, failed)).job()));
        Life silent = running.then(new Event.AttemptEnded(NOON, id, new Verdict.Succeeded()));
        assertEquals("lost", Bodies.tasks(silent.job()).getFirst().state());
    }

    @Test
    void aJobThatIsBeingStoppedSaysWhy() {
        JobBody body = JOBS.job(SUBMITTED.started().cancelled(NOON).job());
        assertEquals("stopping", body.state());
        assertEquals("cancelled by ann", body.reason());
    }

    @Test
    void anArraysJobSaysItsPlaceThere() {
        var place = Optional.of(new Job.ArrayPlace("sweep_1_00000001", 4));
        Job job = JournalFixtures.job(1, "ann", Optional.of("r"), place);
        JobBody body = JOBS.job(job);
        assertEquals("sweep_1_00000001", body.array());
        assertEquals(4, body.arrayIndex());
    }

    @Test
    void aHistoryTellsTheStateAfterEachFact() {
        Life life =
                SUBMITTED
                        .started()
                        .ended(3, NOON.plusSeconds(60))
                        .started()
                        .cancelled(NOON.plusSeconds(70))
                        .ended(143, NOON.plusSeconds(71));
        List<EventBody> events = Bodies.events(life.job(), life.facts());
        assertEquals(
                List.of(
                        "submitted: null -> queued",
                        "placed: attempt 1 on node1 -> starting",
                        "started: attempt 1 -> running",
                        "tasks-ended: main/0 exited with 3 -> running",
                        "ended: failed: main/0 exited with 3 -> queued",
                        "placed: attempt 2 on node1 -> starting",
                        "started: attempt 2 -> running",
                        "cancel-requested: by ann -> stopping",
                        "tasks-ended: main/0 exited with 143 -> stopping",
                        "ended: cancelled -> cancelled"),
                events.stream()
                        .map(e -> e.event() + ": " + e.detail() + " -> " + e.state())
                        .toList());
        assertEquals(life.job().id().text(), events.getFirst().job());
        assertEquals("2026-11-15T12:00:01.123456789Z", events.getFirst().at());
        assertEquals(events.getLast(), Bodies.event(life.last(), life.job()));
    }

    private static Life stopped(Life running, Event order) {
        var id = new AttemptId(running.job().id(), running.job().attempts());
        var exits = Map.of(JournalFixtures.MAIN, Exit.stopped(143, "", NOON));
        return running.then(order)
                .then(new Event.TasksEnded(NOON, id, exits))
                .then(new Event.AttemptEnded(NOON, id, new Verdict.Failed(143, "exit code 143")));
    }

    private static List<String> lastDetails(Life life) {
        List<EventBody> events = Bodies.events(life.job(), life.facts());
        assertEquals(events.getLast(), Bodies.event(life.last(), life.job()));
        return events.reversed().stream().limit(2).map(EventBody::detail).toList().reversed();
    }

    @Test
    void aPreemptedAttemptWasStoppedForSomebodyAndHasNotFailed() {
        Life running = SUBMITTED.started();
        var id = new AttemptId(running.job().id(), 1);
        var other = JournalFixtures.job(2).id();
        Life back = stopped(running, new Event.PreemptRequested(NOON, id, other, "it is due"));
        String ended = "stopped for " + other + ": it is due";
        assertEquals(List.of("main/0 was stopped, exited with 143", ended), lastDetails(back));
        Life again = back.started();
        assertEquals(
                List.of("main/0 was stopped, exited with 143", ended),
                Bodies.events(again.job(), again.facts()).stream()
                        .skip(4)
                        .limit(2)
                        .map(EventBody::detail)
                        .toList());
        var own = new Event.PreemptRequested(NOON, id, id.job(), "it gets 2 GPUs");
        assertEquals("stopped: it gets 2 GPUs", lastDetails(stopped(running, own)).getLast());
    }

    /** Goal: a stop that came too late hides no failure. */
    @Test
    void anAttemptThatFailedBeforeItWasStoppedHasFailed() {
        Life running = SUBMITTED.started();
        var id = new AttemptId(running.job().id(), 1);
        var order = new Event.PreemptRequested(NOON, id, JournalFixtures.job(2).id(), "late");
        Life failed = running.then(order).ended(3, NOON);
        assertEquals("failed: main/0 exited with 3", lastDetails(failed).getLast());
        Life again = failed.started();
        assertEquals(
                "failed: main/0 exited with 3",
                Bodies.events(again.job(), again.facts()).get(5).detail());
    }

    @Test
    void aTimeLimitIsTheSameInTheJobAndInItsEvents() {
        Life running = SUBMITTED.started();
        var id = new AttemptId(running.job().id(), 1);
        Life over = stopped(running, new Event.TimeLimitReached(NOON, id));
        assertEquals(124, JOBS.job(over.job()).exitCode());
        assertEquals(
                List.of(
                        "main/0 was stopped, exited with 143",
                        "failed: " + JOBS.job(over.job()).reason()),
                lastDetails(over));
        assertEquals("stopped", Bodies.tasks(over.job()).getFirst().note());
    }

    @Test
    void aCommandBecomesOneLineThatAShellWouldTake() {
        assertEquals("echo 'a b' ''\\''' ''", JobBodies.line(List.of("echo", "a b", "'", ""), 200));
        assertEquals(
                "for i in 1 2; do x; done",
                JobBodies.line(List.of("sh", "-c", "for i in 1 2;\n  do x;\ndone"), 200));
        String cut = JobBodies.line(List.of("echo", "😀".repeat(100_000)), 200);
        assertTrue(cut.length() <= 200 && cut.endsWith("..."), cut);
        assertTrue(Character.isLowSurrogate(cut.charAt(cut.length() - 4)));
        String many = JobBodies.line(java.util.Collections.nCopies(100_000, "x"), 200);
        assertEquals(200, many.length());
    }
}
