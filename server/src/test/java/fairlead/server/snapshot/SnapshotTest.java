package fairlead.server.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.ClusterState;
import fairlead.cluster.Guest;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Profile;
import fairlead.job.Progress;
import fairlead.job.Setup;
import fairlead.job.StopReason;
import fairlead.job.Training;
import fairlead.policies.Policies;
import fairlead.policy.Plan;
import fairlead.policy.Policy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Every file in snapshots/ is a case that once was, and must be planned as it says. */
class SnapshotTest {
    @TempDir Path folder;

    static Stream<Path> cases() throws IOException, URISyntaxException {
        Path cases = Path.of(SnapshotTest.class.getResource("/snapshots").toURI());
        return Files.list(cases).filter(file -> file.toString().endsWith(".json")).sorted();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void theCaseIsPlannedAsTheTextBesideItSays(Path file) throws IOException {
        Path expected = Path.of(file.toString().replace(".json", ".txt"));
        assertEquals(Files.readString(expected), planned(file.toString()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void aSnapshotOfTheRestoredViewIsTheSameAgain(Path file) throws Exception {
        Snapshot first = Snapshot.read(Files.readString(file));
        Snapshot again = Snapshot.of(first.cluster(), first.policy(), first.view());
        assertEquals(
                new String(first.json(), StandardCharsets.UTF_8),
                new String(again.json(), StandardCharsets.UTF_8));
        Policy policy = Policies.byName(first.policy());
        View view = first.view();
        Plan plan = policy.plan(view);
        assertEquals(plan, policy.plan(Snapshot.read(text(again)).view()));
        assertFalse(plan.starts().isEmpty() && policy.explain(view).isEmpty());
    }

    @Test
    void whatOthersHoldIsRestoredWithoutItsName() throws Exception {
        var state = new ClusterState();
        var noon = Instant.parse("2026-01-01T12:00:00Z");
        var pod =
                new Guest(
                        "private-name",
                        "lab",
                        "ann",
                        0,
                        2,
                        Optional.of("node-a"),
                        "Running",
                        noon,
                        Optional.of(noon));
        state.guests(List.of(pod));
        Snapshot snapshot = Snapshot.of("lab", "fair", state.view(noon));
        assertFalse(text(snapshot).contains("private-name"));
        Guest again = Snapshot.read(text(snapshot)).view().guests().getFirst();
        assertEquals("ann", again.owner());
        assertEquals(2_000, again.milliGpusHeld());
    }

    @Test
    void aTrainingIsRestoredWithAllThatIsKnownOfIt() throws Exception {
        Path file = Path.of(SnapshotTest.class.getResource("/snapshots").toURI());
        var text = Files.readString(file.resolve("a-training-is-asked-to-stop.json"));
        View view = Snapshot.read(text).view();
        Job asked = view.active().getFirst();
        assertEquals(
                new Training(
                        20,
                        32,
                        50_000,
                        1,
                        1,
                        4,
                        false,
                        Optional.of(8L << 30),
                        Optional.of(Duration.ofHours(4)),
                        Optional.of(Instant.parse("2026-01-02T00:00:00Z"))),
                asked.spec().training().orElseThrow());
        var speeds = Map.of(Setup.alone(1, 1), new Profile.Speed(600, 0.25, 2));
        assertEquals(
                new Progress(
                        1,
                        2,
                        0.5,
                        Optional.of(Instant.parse("2026-01-01T12:40:00Z")),
                        new Profile(speeds, 5_000_000_000L)),
                asked.progress());
        assertTrue(
                asked.state() instanceof JobState.Stopping stopping
                        && stopping.reason() instanceof StopReason.Preempted preempted
                        && preempted.atCheckpoint());
        assertEquals(Duration.ofMinutes(4), asked.atRisk(Instant.parse("2026-01-01T12:44:00Z")));
        Job waiting = view.queues().getFirst().gpuJobs().getFirst();
        assertEquals(Duration.ofMinutes(10), waiting.setbacks().lost());
        assertEquals("bob waits", waiting.setbacks().last().getFirst().why());
        var neighbour = view.active().getLast().spec();
        assertEquals(
                Optional.of(330.5),
                view.foresight()
                        .profile(waiting)
                        .speed(new Setup(1, 1, neighbour.script()))
                        .map(Profile.Speed::epochSeconds));
        assertEquals(asked.spec().script(), waiting.spec().script());
        assertNotEquals(asked.spec().script(), neighbour.script());
    }

    private static String text(Snapshot snapshot) {
        return new String(snapshot.json(), StandardCharsets.UTF_8);
    }

    @Test
    void aSnapshotOfANewerVersionIsRefusedAndSaysWhatToDo() {
        var refusal =
                assertThrows(
                        SnapshotException.class,
                        () -> Snapshot.read("{\"version\":3,\"weather\":\"fine\"}"));
        assertEquals(
                "the snapshot has version 3, and this fairlead reads up to 2: use a newer fairlead",
                refusal.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"policy\":\"fair\"}",
                "{\"version\":1}",
                "{\"version\":0}",
                "{\"version\":1,\"policy\":\"fair\",\"now\":\"noon\",\"undisturbed\":\"PT5M\"}",
                "{\"version\":1,\"cluster\":\"c\",\"jobs\":[{\"id\":\"x\"}]}",
                "{\"version\":1,\"cluster\":\"c\",\"nodes\":[{\"cpus\":-1,\"name\":\"n\"}]}",
                "{\"version\":1,\"surprise\":1}",
                "{\"version\":2,\"cluster\":\"c\",\"jobs\":[{\"training\":{\"epochs\":0}}]}",
                "{\"version\":2,\"cluster\":\"c\",\"jobs\":[{\"progress\":{\"speed\":1}}]}"
            })
    void whatIsNoSnapshotIsRefused(String text) {
        assertThrows(SnapshotException.class, () -> Snapshot.read(text));
    }

    @Test
    void aMissingFileAndAnUnknownPolicyAreToldInOneLine() throws Exception {
        String file = cases().findFirst().orElseThrow().toString();
        assertTrue(planned(folder.resolve("none.json").toString()).contains("no file"));
        assertTrue(planned(file, "--policy", "luck").contains("no policy 'luck'; known: "));
    }

    @Test
    void aPlanCanBeHadAsJson() throws Exception {
        assertEquals(
                """
                {"policy":"fair","cluster":"local","now":"2026-01-01T13:00:00Z","starts":[],\
                "stops":[{"job":"train_1767268802_00000002","for":"train_1767268803_00000003",\
                "why":"project a takes back what project b had borrowed"}],\
                "waits":[{"job":"train_1767268803_00000003","place":1,"obstacles":\
                ["starts as soon as train_1767268802_00000002 has stopped for it"]},\
                {"job":"train_1767268804_00000004","place":2,"obstacles":\
                ["needs 0.5 of a GPU; no GPU has that much left"]}]}
                """,
                planned(cases().findFirst().orElseThrow().toString(), "--json"));
        Path idle = folder.resolve("idle.json");
        Files.writeString(
                idle,
                """
                {"version":1,"cluster":"local","policy":"fair","now":"2026-01-01T13:00:00Z",
                 "undisturbed":"PT5M","projects":[],
                 "nodes":[{"name":"n","ready":true,"cpus":8,"memoryBytes":1024,
                   "gpus":[{"index":0,"type":"a100","memoryBytes":0},
                           {"index":1,"type":"a100","memoryBytes":0}]}],
                 "jobs":[{"id":"train_1_00000001","owner":"ann","project":"default",
                   "submitted":"2026-01-01T12:00:03Z","priority":0,"interactive":false,
                   "attempts":0,"served":"PT0S","state":"queued",
                   "since":"2026-01-01T12:00:03Z","notBefore":"1970-01-01T00:00:00Z",
                   "roles":[{"name":"main","count":1,"gpus":2,"cpus":0,"memoryBytes":0}]}]}
                """);
        assertEquals(
                """
                {"policy":"fifo","cluster":"local","now":"2026-01-01T13:00:00Z",\
                "starts":[{"job":"train_1_00000001",\
                "tasks":[{"task":"main/0","node":"n","gpus":[0,1]}]}],"stops":[],"waits":[]}
                """,
                planned("--policy", "fifo", idle.toString(), "--json"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a --policy", "a --luck", "--json", "a --policy fair b"})
    void whatIsNoCommandLineIsAnsweredWithTheRightOne(String line) {
        String[] words = line.isEmpty() ? new String[0] : line.split(" ");
        assertEquals("fairlead plan: usage: plan FILE [--policy NAME] [--json]\n", planned(words));
    }

    /** What is printed, errors too. */
    private static String planned(String... arguments) {
        var out = new ByteArrayOutputStream();
        var stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        PlanAgain.run(List.of(arguments), stream, stream);
        return out.toString(StandardCharsets.UTF_8);
    }
}
