package fairlead.journals.sql;

import static fairlead.journal.JournalFixtures.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.json.BadBody;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Endpoints;
import fairlead.job.Event;
import fairlead.job.Exit;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Outcome;
import fairlead.job.Placement;
import fairlead.job.Prediction;
import fairlead.job.Profile;
import fairlead.job.RetryPolicy;
import fairlead.job.Share;
import fairlead.job.StopReason;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Verdict;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Pins what is on people's disks. A text here may gain a sibling when the form grows, but must
 * never change: journals that hold it are out there.
 */
class StoredJsonTest {
    private static final JobId JOB = new JobId("mnist_1763200000_0000002a");
    private static final JobId OTHER = new JobId("other_1763200001_0000002b");
    private static final Instant T1 = Instant.parse("2026-11-15T12:00:00Z");
    private static final Instant T2 = Instant.parse("2026-11-15T12:00:01.000000001Z");
    private static final AttemptId SECOND = new AttemptId(JOB, 2);
    private static final Attempt ATTEMPT =
            new Attempt(
                    SECOND,
                    new Placement(
                            List.of(
                                    new TaskPlacement(new TaskId("ps", 0), "n1", List.of()),
                                    TaskPlacement.whole(
                                            new TaskId("worker", 10), "n2", List.of(0, 3)))));
    private static final Attempt PART =
            new Attempt(
                    SECOND,
                    new Placement(
                            List.of(
                                    new TaskPlacement(
                                            new TaskId("main", 0),
                                            "n1",
                                            List.of(new Share(3, 8_589_934_592L))))));
    private static final Endpoints ENDPOINTS =
            new Endpoints(List.of("10.1.0.7"), List.of(4003, 4004));
    private static final Map<TaskId, Exit> EXITS =
            Map.of(
                    new TaskId("worker", 10),
                    new Exit(OptionalInt.of(137), true, "killed by \"oom\"", T2),
                    new TaskId("ps", 0),
                    Exit.lost("gone", T1));

    private static final String ATTEMPT_JSON =
            "\"attempt\":{\"number\":2,\"tasks\":[{\"task\":\"ps/0\",\"node\":\"n1\",\"gpus\":[]},"
                    + "{\"task\":\"worker/10\",\"node\":\"n2\",\"gpus\":[0,3]}]}";
    private static final String EXITS_JSON =
            "\"exits\":[{\"task\":\"ps/0\",\"note\":\"gone\",\"at\":\"2026-11-15T12:00:00Z\"},{\"task\":\"worker/10\",\"code\":137,\"stopped\":true,\"note\":\"killed"
                + " by \\\"oom\\\"\",\"at\":\"2026-11-15T12:00:01.000000001Z\"}]";
    private static final String SINCE_JSON = "\"since\":\"2026-11-15T12:00:00Z\"";

    static Stream<Arguments> states() {
        return Stream.of(
                state(
                        new JobState.Queued(T1, T2),
                        "{\"state\":\"queued\","
                                + SINCE_JSON
                                + ",\"notBefore\":\"2026-11-15T12:00:01.000000001Z\"}"),
                state(
                        new JobState.Starting(ATTEMPT, T1, Map.of()),
                        "{\"state\":\"starting\","
                                + SINCE_JSON
                                + ","
                                + ATTEMPT_JSON
                                + ",\"exits\":[]}"),
                state(
                        new JobState.Running(ATTEMPT, T1, EXITS),
                        "{\"state\":\"running\","
                                + SINCE_JSON
                                + ","
                                + ATTEMPT_JSON
                                + ","
                                + EXITS_JSON
                                + "}"),
                state(
                        new JobState.Running(
                                new Attempt(SECOND, PART.placement(), ENDPOINTS), T1, Map.of()),
                        "{\"state\":\"running\","
                                + SINCE_JSON
                                + ",\"attempt\":{\"number\":2,\"tasks\":[{\"task\":\"main/0\",\"node\":\"n1\",\"gpus\":[],"
                                + "\"shares\":[{\"gpu\":3,\"units\":8589934592}]}],\"hosts\":[\"10.1.0.7\"],"
                                + "\"ports\":[4003,4004]},\"exits\":[]}"),
                stopping(
                        new StopReason.Cancelled("ann"), "{\"kind\":\"cancelled\",\"by\":\"ann\"}"),
                stopping(
                        new StopReason.Preempted(OTHER, "fairness", false),
                        "{\"kind\":\"preempted\",\"beneficiary\":\"other_1763200001_0000002b\","
                                + "\"why\":\"fairness\"}"),
                stopping(
                        new StopReason.Preempted(OTHER, "fairness", true),
                        "{\"kind\":\"preempted\",\"beneficiary\":\"other_1763200001_0000002b\","
                                + "\"why\":\"fairness\",\"atCheckpoint\":true}"),
                stopping(
                        new StopReason.Decided(new Verdict.Failed(3, "worker/1 exited with 3")),
                        "{\"kind\":\"decided\",\"verdict\":{\"kind\":\"failed\",\"exitCode\":3,"
                                + "\"reason\":\"worker/1 exited with 3\"}}"),
                stopping(new StopReason.TimeLimit(), "{\"kind\":\"time-limit\"}"),
                state(
                        new JobState.Finished(
                                Outcome.succeeded(), T1, Optional.of(ATTEMPT), Map.of()),
                        "{\"state\":\"finished\",\"at\":\"2026-11-15T12:00:00Z\","
                                + "\"outcome\":{\"kind\":\"succeeded\",\"exitCode\":0},"
                                + ATTEMPT_JSON
                                + ",\"exits\":[]}"),
                state(
                        new JobState.Finished(
                                Outcome.failed(7, "why"), T1, Optional.of(ATTEMPT), EXITS),
                        "{\"state\":\"finished\",\"at\":\"2026-11-15T12:00:00Z\","
                            + "\"outcome\":{\"kind\":\"failed\",\"exitCode\":7,\"reason\":\"why\"},"
                                + ATTEMPT_JSON
                                + ","
                                + EXITS_JSON
                                + "}"),
                state(
                        new JobState.Finished(
                                Outcome.cancelled("ann"), T1, Optional.empty(), Map.of()),
                        "{\"state\":\"finished\",\"at\":\"2026-11-15T12:00:00Z\","
                                + "\"outcome\":{\"kind\":\"cancelled\",\"exitCode\":143,"
                                + "\"reason\":\"cancelled by ann\"},\"exits\":[]}"));
    }

    @Test
    void triesAndTasksThatTookTooMuchMemoryAreKept() {
        var tries = new RetryPolicy.Tries(1, 2, 3, 4, 5);
        String json =
                "{\"succeeded\":1,\"transients\":2,\"conflicts\":3,\"permanents\":4,\"unknowns\":5}";
        assertEquals(json, StateJson.TRIES.text(tries));
        assertEquals(tries, StateJson.TRIES.read(json));
        var exit = new Exit(OptionalInt.of(137), false, true, "", T1);
        var running = new JobState.Running(ATTEMPT, T1, Map.of(new TaskId("ps", 0), exit));
        String text = StateJson.write(running);
        assertTrue(text.contains("\"code\":137,\"outOfMemory\":true,\"at\""), text);
        assertEquals(running, StateJson.read(text, JOB));
    }

    private static Arguments state(JobState state, String json) {
        return Arguments.of(state, json);
    }

    private static Arguments stopping(StopReason reason, String json) {
        return state(
                new JobState.Stopping(ATTEMPT, reason, T1, Map.of()),
                "{\"state\":\"stopping\","
                        + SINCE_JSON
                        + ",\"reason\":"
                        + json
                        + ","
                        + ATTEMPT_JSON
                        + ",\"exits\":[]}");
    }

    @ParameterizedTest
    @MethodSource("states")
    void everyStateHasOneStoredForm(JobState state, String json) {
        assertEquals(json, StateJson.write(state));
        assertEquals(state, StateJson.read(json, JOB));
    }

    static Stream<Arguments> events() {
        return Stream.of(
                Arguments.of(new Event.Submitted(T1), "{\"event\":\"submitted\"}"),
                Arguments.of(new Event.Released(T1), "{\"event\":\"released\"}"),
                Arguments.of(
                        new Event.Forsaken(T1, "it failed"),
                        "{\"event\":\"forsaken\",\"why\":\"it failed\"}"),
                Arguments.of(
                        new Event.AttemptPlaced(T1, ATTEMPT),
                        "{\"event\":\"placed\"," + ATTEMPT_JSON + "}"),
                Arguments.of(
                        new Event.AttemptPlaced(T1, PART),
                        "{\"event\":\"placed\",\"attempt\":{\"number\":2,\"tasks\":[{\"task\":"
                                + "\"main/0\",\"node\":\"n1\",\"gpus\":[],"
                                + "\"shares\":[{\"gpu\":3,\"units\":8589934592}]}]}}"),
                Arguments.of(
                        new Event.StartPredicted(T1, Prediction.of(T1, T2, T2)),
                        "{\"event\":\"start-predicted\",\"earliest\":\"2026-11-15T12:00:00Z\","
                                + "\"expected\":\"2026-11-15T12:00:01.000000001Z\","
                                + "\"latest\":\"2026-11-15T12:00:01.000000001Z\"}"),
                Arguments.of(
                        new Event.PriorityChanged(T1, -3, "ann"),
                        "{\"event\":\"priority-changed\",\"priority\":-3,\"by\":\"ann\"}"),
                Arguments.of(
                        new Event.AttemptStarted(T1, SECOND),
                        "{\"event\":\"started\",\"number\":2}"),
                Arguments.of(
                        new Event.AttemptStarted(T1, SECOND, ENDPOINTS),
                        "{\"event\":\"started\",\"number\":2,\"hosts\":[\"10.1.0.7\"],\"ports\":[4003,4004]}"),
                Arguments.of(
                        new Event.TasksEnded(T1, SECOND, EXITS),
                        "{\"event\":\"tasks-ended\",\"number\":2," + EXITS_JSON + "}"),
                Arguments.of(
                        new Event.AttemptDecided(T1, SECOND, new Verdict.Succeeded()),
                        "{\"event\":\"decided\",\"number\":2,\"verdict\":{\"kind\":\"succeeded\"}}"),
                Arguments.of(
                        new Event.AttemptEnded(T1, SECOND, new Verdict.Lost("node gone")),
                        "{\"event\":\"ended\",\"number\":2,"
                                + "\"verdict\":{\"kind\":\"lost\",\"reason\":\"node gone\"}}"),
                Arguments.of(
                        new Event.CancelRequested(T1, "ann"),
                        "{\"event\":\"cancel-requested\",\"by\":\"ann\"}"),
                Arguments.of(
                        new Event.PreemptRequested(T1, SECOND, OTHER, "fairness"),
                        "{\"event\":\"preempt-requested\",\"number\":2,"
                            + "\"beneficiary\":\"other_1763200001_0000002b\",\"why\":\"fairness\"}"),
                Arguments.of(
                        new Event.TimeLimitReached(T1, SECOND),
                        "{\"event\":\"time-limit-reached\",\"number\":2}"),
                Arguments.of(
                        new Event.PatienceEnded(T1, SECOND),
                        "{\"event\":\"patience-ended\",\"number\":2}"),
                Arguments.of(
                        new Event.TrainingJoined(T1, SECOND),
                        "{\"event\":\"training-joined\",\"number\":2}"),
                Arguments.of(
                        new Event.EpochEnded(
                                T1,
                                SECOND,
                                new Profile.Epoch(
                                        3,
                                        OptionalDouble.of(12.5),
                                        OptionalDouble.of(0.25),
                                        1_000,
                                        "python3 other.py 16")),
                        "{\"event\":\"epoch-ended\",\"number\":2,\"done\":3,\"seconds\":12.5,"
                                + "\"stepSeconds\":0.25,\"memoryBytes\":1000,"
                                + "\"beside\":\"python3 other.py 16\"}"),
                Arguments.of(
                        new Event.EpochEnded(
                                T1,
                                SECOND,
                                new Profile.Epoch(
                                        3, OptionalDouble.empty(), OptionalDouble.empty(), 0)),
                        "{\"event\":\"epoch-ended\",\"number\":2,\"done\":3,\"memoryBytes\":0}"),
                Arguments.of(
                        new Event.CheckpointSaved(T1, SECOND, 0.5),
                        "{\"event\":\"checkpoint-saved\",\"number\":2,\"fraction\":0.5}"),
                Arguments.of(
                        new Event.MemoryMeasured(T1, SECOND, 1_000),
                        "{\"event\":\"memory-measured\",\"number\":2,\"memoryBytes\":1000}"));
    }

    @ParameterizedTest
    @MethodSource("events")
    void everyEventHasOneStoredForm(Event event, String json) {
        assertEquals(json, EventJson.write(event));
        assertEquals(event, EventJson.read(json, JOB, T1));
    }

    /** A new kind of event or state must be pinned above before it reaches a disk. */
    @Test
    void noKindIsForgottenHere() {
        assertEquals(kinds(Event.class), seen(events()));
        assertEquals(kinds(JobState.class), seen(states()));
    }

    private static List<String> kinds(Class<?> sealed) {
        return Stream.of(sealed.getPermittedSubclasses())
                .flatMap(
                        type ->
                                type.isSealed()
                                        ? Stream.of(type.getPermittedSubclasses())
                                        : Stream.of(type))
                .map(Class::getSimpleName)
                .sorted()
                .toList();
    }

    private static List<String> seen(Stream<Arguments> pinned) {
        return pinned.map(arguments -> arguments.get()[0].getClass().getSimpleName())
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    void whatIsNotKnownIsRefusedRatherThanGuessed() {
        for (String text : List.of("{}", "{\"state\":\"dreaming\"}", "{\"mood\":1}", "", "[]")) {
            assertThrows(BadBody.class, () -> StateJson.read(text, JOB), text);
        }
        for (String text :
                List.of("{}", "{\"event\":\"slept\"}", "{\"mood\":1}", "{\"event\":1}")) {
            assertThrows(BadBody.class, () -> EventJson.read(text, JOB, T1), text);
        }
    }

    @Test
    void textBehindTheEndIsDamage() {
        String state = StateJson.write(job(1).state()) + "x";
        assertThrows(BadBody.class, () -> StateJson.read(state, JOB));
        String tries = StateJson.TRIES.text(RetryPolicy.Tries.NONE) + "x";
        assertThrows(BadBody.class, () -> StateJson.TRIES.read(tries));
        String event = EventJson.write(new Event.Submitted(T1)) + "x";
        assertThrows(BadBody.class, () -> EventJson.read(event, JOB, T1));
    }
}
