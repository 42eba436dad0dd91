package fairlead.job;

import static fairlead.job.Samples.NOON;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The machine against the table of docs/LIFECYCLE.md, cell by cell, then its finer points. */
class JobMachineTest {
    private static final Instant LATER = NOON.plusSeconds(3_600);
    private static final JobSpec ONE_TASK = Samples.spec(Samples.role("main", 1, 1));

    static Stream<Arguments> cells() throws IOException {
        Path file = Path.of("docs/LIFECYCLE.md");
        if (!Files.exists(file)) file = Path.of("..").resolve(file);
        List<List<String>> rows =
                Files.readAllLines(file).stream()
                        .filter(line -> line.startsWith("|") && !line.startsWith("|--"))
                        .map(
                                line ->
                                        Arrays.stream(line.substring(1).split("\\|"))
                                                .map(String::strip)
                                                .toList())
                        .toList();
        var cells = new ArrayList<Arguments>();
        for (List<String> row : rows.subList(1, rows.size())) {
            for (int i = 1; i < row.size(); i++) {
                cells.add(Arguments.of(row.getFirst(), rows.getFirst().get(i), row.get(i)));
            }
        }
        assertEquals(11 * 14, cells.size(), "the table has 11 states and 14 columns");
        return cells.stream();
    }

    @ParameterizedTest(name = "{0}, {1}: {2}")
    @MethodSource("cells")
    void theTableIsTrue(String state, String column, String expected) {
        Job job = in(state, state.equals("stopping(asked)") ? Samples.training(1, 10) : ONE_TASK);
        if (column.equals("owes")) {
            String owes =
                    JobMachine.due(job)
                            .map(due -> due.getClass().getSimpleName())
                            .orElse("nothing");
            assertEquals(expected, owes.toLowerCase(Locale.ROOT));
            return;
        }
        Event event = event(column, job);
        if (expected.equals("-")) {
            assertThrows(IllegalTransition.class, () -> JobMachine.next(job, event));
            return;
        }
        String[] either = expected.split(" or ");
        assertEquals(either[either.length - 1], name(JobMachine.next(job, event).state()));
        if (either.length == 2) {
            Job retried =
                    in(state, Samples.spec(0, 1, Optional.empty(), Samples.role("main", 1, 1)));
            assertEquals(either[0], name(JobMachine.next(retried, event(column, retried)).state()));
        }
    }

    @Test
    void aFailedAttemptIsRetriedAsOftenAsTheSpecAllowsWithGrowingPauses() {
        Job job =
                Samples.job(
                        1, "ann", Samples.spec(0, 2, Optional.empty(), Samples.role("main", 1, 1)));
        Job once = fail(job);
        Job twice = fail(once);
        Job thrice = fail(twice);
        assertEquals(Duration.ofSeconds(1), pauseOf(once));
        assertEquals(Duration.ofSeconds(2), pauseOf(twice));
        var finished = assertInstanceOf(JobState.Finished.class, thrice.state());
        assertEquals(new Outcome(Outcome.Kind.FAILED, 7, "exit code 7"), finished.outcome());
        assertEquals(3, thrice.attempts());
    }

    @Test
    void aLostAttemptNeverUsesUpARetryButAnEndlessLoserFails() {
        Job job = Samples.job(1, "ann", ONE_TASK);
        for (int i = 0; i < JobMachine.LOSSES_MAX; i++) {
            job = end(start(job), new Verdict.Lost("node gone"));
            assertInstanceOf(JobState.Queued.class, job.state());
            assertEquals(0, job.failures());
        }
        job = end(start(job), new Verdict.Lost("node gone"));
        var finished = assertInstanceOf(JobState.Finished.class, job.state());
        assertTrue(finished.outcome().reason().contains("21 times in a row: node gone"));
    }

    @Test
    void anAttemptThatIsLostBeforeItRunsWaitsForAsLongAsItTakes() {
        Job job = Samples.job(1, "ann", ONE_TASK);
        for (int i = 0; i <= 2 * JobMachine.LOSSES_MAX; i++) {
            job = end(place(job), new Verdict.Lost("exceeded quota"));
            assertInstanceOf(JobState.Queued.class, job.state());
        }
        assertEquals(JobMachine.LOSSES_BEFORE_START_MAX, job.losses());
        assertEquals(Duration.ofMinutes(1), pauseOf(job));
    }

    @Test
    void aJobHasEndedWithItsLastTaskAndNotWhenThatWasNoticed() {
        Job job = start(Samples.job(1, "ann", ONE_TASK));
        for (int seconds : new int[] {-5, 7}) {
            var exit = Exit.of(0, NOON.plusSeconds(seconds));
            Job seen =
                    JobMachine.next(
                            job,
                            new Event.TasksEnded(
                                    LATER, attemptOf(job), Map.of(new TaskId("main", 0), exit)));
            Job over = end(seen, new Verdict.Succeeded());
            var finished = assertInstanceOf(JobState.Finished.class, over.state());
            Duration ran = Duration.ofSeconds(Math.max(0, seconds));
            assertEquals(NOON.plus(ran), finished.at());
            assertEquals(ran, over.served());
        }
    }

    @Test
    void workThatWasDoneBeforeTheStopArrivedIsNotThrownAway() {
        Job job = start(Samples.job(1, "ann", ONE_TASK));
        Job preempted = JobMachine.next(job, event("preempt", job));
        assertEquals("succeeded", endedAs(preempted, Exit.of(0, LATER)));
        assertEquals("failed", endedAs(preempted, Exit.of(7, LATER)));
        assertEquals("queued", endedAs(preempted, Exit.stopped(0, "", LATER)));
        Job late = JobMachine.next(job, event("time limit", job));
        assertEquals("succeeded", endedAs(late, Exit.of(0, LATER)));
        assertEquals("failed", endedAs(late, Exit.stopped(0, "", LATER)));
    }

    private static String endedAs(Job job, Exit exit) {
        Job ended =
                JobMachine.next(
                        job,
                        new Event.TasksEnded(
                                LATER, attemptOf(job), Map.of(new TaskId("main", 0), exit)));
        var exits = ((JobState.Active) ended.state()).exits();
        return end(ended, Completion.verdict(job.spec(), exits).orElseThrow()).state().word();
    }

    @Test
    void aJobKnowsHowLongItHasRunInAllItsAttempts() {
        Job running = start(Samples.job(1, "ann", ONE_TASK));
        assertEquals(Duration.ofMinutes(5), running.served(NOON.plusSeconds(300)));
        assertEquals(Duration.ZERO, running.served(NOON.minusSeconds(9)), "a clock set back");
        Job stopping = JobMachine.next(running, event("preempt", running));
        assertEquals(Duration.ofHours(1), stopping.served(), "until it was told to stop");
        Job again = start(end(stopping, new Verdict.Failed(143, "stopped")));
        assertEquals(Duration.ofHours(1), again.served());
        assertEquals(Duration.ofHours(2), again.served(LATER));
        assertEquals(Duration.ofHours(2), end(again, new Verdict.Succeeded()).served());
        Job starting = in("starting", ONE_TASK);
        Job lost = end(starting, new Verdict.Lost("node gone"));
        assertEquals(Duration.ZERO, lost.served(), "it never ran");
    }

    @Test
    void aTaskCannotEndTwice() {
        Job job = start(Samples.job(1, "ann", Samples.spec(Samples.role("main", 2, 1))));
        var ended =
                new Event.TasksEnded(
                        LATER, attemptOf(job), Map.of(new TaskId("main", 0), Exit.of(0, LATER)));
        Job after = JobMachine.next(job, ended);
        assertThrows(IllegalStateException.class, () -> JobMachine.next(after, ended));
    }

    @Test
    void whereTasksWereReachedStaysKnownAfterTheEndButNotInTheNextAttempt() {
        var endpoints = new Endpoints(List.of("10.1.0.7"), List.of(4003));
        Job placed = in("starting", ONE_TASK);
        Job running =
                JobMachine.next(
                        placed, new Event.AttemptStarted(NOON, attemptOf(placed), endpoints));
        Job over = end(running, new Verdict.Succeeded());
        assertEquals(endpoints, over.attempt().orElseThrow().endpoints());
        Job again =
                JobMachine.next(
                        running,
                        new Event.PreemptRequested(NOON, attemptOf(running), running.id(), "x"));
        again = end(again, new Verdict.Lost("stopped"));
        assertEquals(Optional.empty(), again.attempt());
        assertEquals(Endpoints.NONE, start(again).attempt().orElseThrow().endpoints());
    }

    private static Job fail(Job job) {
        return end(start(job), new Verdict.Failed(7, "exit code 7"));
    }

    private static Job place(Job job) {
        return JobMachine.next(job, new Event.AttemptPlaced(NOON, Samples.attempt(job, "node-a")));
    }

    private static Job start(Job job) {
        Job placed = place(job);
        return JobMachine.next(placed, new Event.AttemptStarted(NOON, attemptOf(placed)));
    }

    private static Job end(Job job, Verdict verdict) {
        return JobMachine.next(job, new Event.AttemptEnded(LATER, attemptOf(job), verdict));
    }

    private static Duration pauseOf(Job job) {
        var queued = assertInstanceOf(JobState.Queued.class, job.state());
        return Duration.between(queued.since(), queued.notBefore());
    }

    private static AttemptId attemptOf(Job job) {
        return job.state() instanceof JobState.Active active
                ? active.attempt().id()
                : new AttemptId(job.id(), Math.max(1, job.attempts()));
    }

    private static Job in(String state, JobSpec spec) {
        if (state.equals("queued(held)")) {
            var after = new JobSpec.After("other_1_00000001", JobSpec.After.Until.ENDED);
            return Samples.job(1, "ann", spec.with(edit -> edit.after = List.of(after)));
        }
        Job queued = Samples.job(1, "ann", spec);
        if (state.equals("queued")) return queued;
        Job starting =
                JobMachine.next(
                        queued, new Event.AttemptPlaced(NOON, Samples.attempt(queued, "node-a")));
        if (state.equals("starting")) return starting;
        Job running =
                JobMachine.next(starting, new Event.AttemptStarted(NOON, attemptOf(starting)));
        if (state.equals("running")) return running;
        if (state.equals("finished")) return end(running, new Verdict.Succeeded());
        if (state.equals("stopping(asked)")) {
            running = JobMachine.next(running, new Event.TrainingJoined(NOON, attemptOf(running)));
            state = "stopping(preempted)";
        }
        return JobMachine.next(
                running,
                switch (state) {
                    case "stopping(cancelled)" -> new Event.CancelRequested(NOON, "ann");
                    case "stopping(preempted)" ->
                            new Event.PreemptRequested(
                                    NOON,
                                    attemptOf(running),
                                    new JobId("other_1_00000001"),
                                    "its owner wants it");
                    case "stopping(decided ok)" ->
                            new Event.AttemptDecided(
                                    NOON, attemptOf(running), new Verdict.Succeeded());
                    case "stopping(decided badly)" ->
                            new Event.AttemptDecided(
                                    NOON, attemptOf(running), new Verdict.Failed(7, "exit code 7"));
                    case "stopping(time limit)" ->
                            new Event.TimeLimitReached(NOON, attemptOf(running));
                    default ->
                            throw new IllegalArgumentException(
                                    "unknown state in the table: " + state);
                });
    }

    private static Event event(String column, Job job) {
        AttemptId attempt = attemptOf(job);
        return switch (column) {
            case "released" -> new Event.Released(LATER);
            case "forsaken" -> new Event.Forsaken(LATER, "it failed");
            case "placed" -> new Event.AttemptPlaced(LATER, Samples.attempt(job, "node-a"));
            case "started" -> new Event.AttemptStarted(LATER, attempt);
            case "tasks ended" ->
                    new Event.TasksEnded(
                            LATER, attempt, Map.of(new TaskId("main", 0), Exit.of(0, LATER)));
            case "decided ok" -> new Event.AttemptDecided(LATER, attempt, new Verdict.Succeeded());
            case "ended ok" -> new Event.AttemptEnded(LATER, attempt, new Verdict.Succeeded());
            case "ended badly" ->
                    new Event.AttemptEnded(LATER, attempt, new Verdict.Failed(7, "exit code 7"));
            case "lost" -> new Event.AttemptEnded(LATER, attempt, new Verdict.Lost("node gone"));
            case "cancel" -> new Event.CancelRequested(LATER, "bob");
            case "preempt" ->
                    new Event.PreemptRequested(
                            LATER, attempt, new JobId("other_1_00000001"), "its owner wants it");
            case "time limit" -> new Event.TimeLimitReached(LATER, attempt);
            case "patience over" -> new Event.PatienceEnded(LATER, attempt);
            default -> throw new IllegalArgumentException("unknown event in the table: " + column);
        };
    }

    private static String name(JobState state) {
        if (!(state instanceof JobState.Stopping stopping)) return state.word();
        return "stopping("
                + switch (stopping.reason()) {
                    case StopReason.Cancelled _ -> "cancelled";
                    case StopReason.Preempted preempted ->
                            preempted.atCheckpoint() ? "asked" : "preempted";
                    case StopReason.Decided(Verdict.Succeeded _) -> "decided ok";
                    case StopReason.Decided _ -> "decided badly";
                    case StopReason.TimeLimit _ -> "time limit";
                }
                + ")";
    }
}
