package fairlead.engines.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.Gpu;
import fairlead.engine.EngineException;
import fairlead.engine.MoreVariables;
import fairlead.engine.TaskEnvironment;
import fairlead.engines.local.linux.Ports;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Container;
import fairlead.job.Effect;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Training;

import org.junit.jupiter.api.Test;

import java.net.ServerSocket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The variables that tasks get, to the letter. */
class TaskVariablesTest {
    private static final List<Gpu> GPUS =
            List.of(
                    new Gpu(0, "H200", 8L << 30),
                    new Gpu(1, "declared", 0),
                    new Gpu(2, "H200", 8L << 30),
                    new Gpu(3, "H200", 8L << 30));

    /** Not the node's first, nor next to each other: a task's own numbers are not a count. */
    private static final List<Integer> HELD = List.of(1, 3);

    private static final JobId JOB = new JobId("train_1700000000_0000002a");

    /** What the only task of a job finds that holds these GPUs. */
    private static final Map<String, String> ALONE_WITH_GPUS =
            Map.of(
                    "FAIRLEAD_JOB", JOB.text(),
                    "FAIRLEAD_ATTEMPT", "3",
                    "FAIRLEAD_TASK", "main/0",
                    "FAIRLEAD_ROLE", "main",
                    "FAIRLEAD_TASK_INDEX", "0",
                    "FAIRLEAD_NODE", "n1",
                    "CUDA_VISIBLE_DEVICES", "1,3",
                    "NVIDIA_VISIBLE_DEVICES", "1,3",
                    "CUDA_DEVICE_ORDER", "PCI_BUS_ID",
                    "PYTHONUNBUFFERED", "1");

    @Test
    void aSingleTaskGetsItsPlaceAndItsGpusButNoRanks() {
        var environment =
                new LocalEnvironment(
                        launch(role("main", 1, 2)), List.of(), GPUS, MoreVariables.NONE);
        var expected = new TreeMap<>(ALONE_WITH_GPUS);
        expected.put("FAIRLEAD_NUM_GPUS", "2");
        assertEquals(expected, new TreeMap<>(environment.of(0)));
    }

    @Test
    void aJobMayHavePythonCollectItsLines() {
        var launch = launch(role("main", 1, 0));
        JobSpec spec = launch.job().spec().withEnvironment(Map.of("PYTHONUNBUFFERED", ""));
        var environment =
                new LocalEnvironment(launch.asking(spec), List.of(), GPUS, MoreVariables.NONE);
        assertFalse(environment.of(0).containsKey("PYTHONUNBUFFERED"));
    }

    @Test
    void aTaskWithoutGpusSeesNoneOfTheNode() {
        var environment =
                new LocalEnvironment(
                        launch(role("main", 1, 0)), List.of(), GPUS, MoreVariables.NONE);
        assertEquals("", environment.of(0).get("CUDA_VISIBLE_DEVICES"));
        assertEquals("", environment.of(0).get("NVIDIA_VISIBLE_DEVICES"));
    }

    @Test
    void aNodeWithoutGpusLeavesTheVariablesAlone() {
        var environment =
                new LocalEnvironment(
                        launch(role("main", 1, 0)), List.of(), List.of(), MoreVariables.NONE);
        assertFalse(environment.of(0).containsKey("CUDA_VISIBLE_DEVICES"));
    }

    @Test
    void aPartOfAGpuComesWithItsBudget() {
        var bytes =
                new LocalEnvironment(
                                part(new Share(2, 2L << 30)), List.of(), GPUS, MoreVariables.NONE)
                        .of(0);
        assertEquals("2", bytes.get("CUDA_VISIBLE_DEVICES"));
        assertEquals("1", bytes.get("FAIRLEAD_NUM_GPUS"));
        assertEquals("2147483648", bytes.get("FAIRLEAD_GPU_MEMORY_BYTES"));
        assertFalse(bytes.containsKey("FAIRLEAD_GPU_FRACTION"));
        var fraction =
                new LocalEnvironment(part(new Share(1, 250)), List.of(), GPUS, MoreVariables.NONE)
                        .of(0);
        assertEquals("0.25", fraction.get("FAIRLEAD_GPU_FRACTION"));
        assertFalse(fraction.containsKey("FAIRLEAD_GPU_MEMORY_BYTES"));
    }

    private static Effect.Launch part(Share share) {
        var whole = launch(role("main", 1, 1));
        var task = new TaskPlacement(new TaskId("main", 0), "n1", List.of(share));
        return new Effect.Launch(
                whole.job(), new Attempt(whole.attempt(), new Placement(List.of(task))));
    }

    @Test
    void aGangKnowsItsRanksItsMasterAndEachOther() {
        var launch = launch(role("ps", 1, 0), role("worker", 2, 1));
        var environment =
                new LocalEnvironment(
                        launch, List.of(11, 12, 13, 14), List.of(), MoreVariables.NONE);
        var last = environment.of(2);
        assertEquals("2", last.get("RANK"));
        assertEquals("2", last.get("LOCAL_RANK"));
        assertEquals("3", last.get("WORLD_SIZE"));
        assertEquals("3", last.get("LOCAL_WORLD_SIZE"));
        assertEquals("127.0.0.1", last.get("MASTER_ADDR"));
        assertEquals("11", last.get("MASTER_PORT"));
        assertEquals(
                "{\"cluster\":{\"ps\":[\"127.0.0.1:12\"],"
                        + "\"worker\":[\"127.0.0.1:13\",\"127.0.0.1:14\"]},"
                        + "\"task\":{\"type\":\"worker\",\"index\":1}}",
                last.get("TF_CONFIG"));
        for (String name :
                List.of("RANK", "LOCAL_RANK", "WORLD_SIZE", "MASTER_PORT", "TF_CONFIG")) {
            assertEquals(last.get(name), last.get("FAIRLEAD_" + name), name);
        }
        assertEquals("0", environment.of(0).get("RANK"));
    }

    @Test
    void aTrainingJobOnOneNodeKnowsItsNodeButHasNoRank() {
        var environment =
                new LocalEnvironment(training("n1"), List.of(11, 12), GPUS, MoreVariables.NONE);
        var expected = new TreeMap<>(ALONE_WITH_GPUS);
        expected.put("FAIRLEAD_SNAPSHOTS", "/snapshots");
        expected.putAll(
                withTwins(
                        Map.of(
                                "MASTER_ADDR", "127.0.0.1",
                                "MASTER_PORT", "11",
                                "WORLD_SIZE", "1",
                                "NUM_NODES", "1",
                                "NODE_RANK", "0",
                                "NUM_GPUS", "2",
                                "NODELIST", "n1",
                                "TF_CONFIG",
                                        "{\"cluster\":{\"worker\":[\"127.0.0.1:12\"]},"
                                                + "\"task\":{\"type\":\"worker\",\"index\":0}}")));
        assertEquals(expected, new TreeMap<>(environment.of(0)));
    }

    @Test
    void aTrainingJobOnTwoNodesKnowsBoth() {
        var environment =
                new LocalEnvironment(
                        training("n1", "n2"), List.of(11, 12, 13), GPUS, MoreVariables.NONE);
        String cluster = "{\"cluster\":{\"worker\":[\"127.0.0.1:12\",\"127.0.0.1:13\"]},";
        for (int rank = 0; rank < 2; rank++) {
            var expected =
                    withTwins(
                            Map.of(
                                    "MASTER_ADDR", "127.0.0.1",
                                    "MASTER_PORT", "11",
                                    "WORLD_SIZE", "2",
                                    "NUM_NODES", "2",
                                    "NODE_RANK", "" + rank,
                                    "NUM_GPUS", "2",
                                    "NODELIST", "n1,n2",
                                    "RANK", "" + rank,
                                    "LOCAL_RANK", "0",
                                    "TF_CONFIG",
                                            cluster
                                                    + "\"task\":{\"type\":\"worker\",\"index\":"
                                                    + rank
                                                    + "}}"));
            var variables = environment.of(rank);
            expected.forEach((name, value) -> assertEquals(value, variables.get(name), name));
            assertEquals("1", variables.get("LOCAL_WORLD_SIZE"));
            assertEquals("main/" + rank, variables.get("FAIRLEAD_TASK"));
        }
    }

    @Test
    void onlyJobsWhoseTasksMeetTakePorts() {
        assertEquals(0, TaskEnvironment.portsFor(launch(role("main", 1, 2))));
        assertEquals(4, TaskEnvironment.portsFor(launch(role("ps", 1, 0), role("worker", 2, 1))));
        assertEquals(2, TaskEnvironment.portsFor(training("n1")));
        assertEquals(3, TaskEnvironment.portsFor(training("n1", "n2")));
    }

    @Test
    void checkpointsGoToTheSnapshotsOnlyWhereTheyAreMounted() {
        var variables =
                new LocalEnvironment(
                                launch(role("main", 1, 0)),
                                List.of(),
                                List.of(),
                                MoreVariables.NONE)
                        .of(0);
        assertFalse(variables.containsKey("FAIRLEAD_SNAPSHOTS"));
    }

    @Test
    void tasksKnowTheirPortsByLabelAndThoseOfAllOthers() {
        var ps = List.of(new Role.Ports("web-ui", 8_000, 2), new Role.Ports("ssh", 0, 1));
        var launch =
                launch(
                        withPorts(role("ps", 1, 0), ps),
                        withPorts(role("worker", 2, 0), List.of(new Role.Ports("http", 0, 1))));
        assertEquals(4 + 3, TaskEnvironment.portsFor(launch));
        var ports = List.of(1, 2, 3, 4, 101, 102, 103);
        var environment = new LocalEnvironment(launch, ports, List.of(), MoreVariables.NONE);
        assertEquals("8000,8001", environment.of(0).get("FAIRLEAD_PORT_WEB_UI"));
        assertEquals("101", environment.of(0).get("FAIRLEAD_PORT_SSH"));
        assertEquals("103", environment.of(2).get("FAIRLEAD_PORT_HTTP"));
        assertEquals(
                """
                [{"role":"ps","index":0,"host":"127.0.0.1","ports":{"web-ui":[8000, 8001],"ssh":[101]}},\
                {"role":"worker","index":0,"host":"127.0.0.1","ports":{"http":[102]}},\
                {"role":"worker","index":1,"host":"127.0.0.1","ports":{"http":[103]}}]\
                """,
                environment.of(1).get("FAIRLEAD_TASKS"));
    }

    private static Role withPorts(Role role, List<Role.Ports> ports) {
        return new Role(
                role.name(),
                role.count(),
                role.command(),
                role.resources(),
                role.minFailed(),
                role.minSucceeded(),
                ports);
    }

    @Test
    void aFixedPortIsNotGivenWhileSomebodyHasIt() throws Exception {
        var ports = new Ports();
        try (var stranger = new ServerSocket(0)) {
            int port = stranger.getLocalPort();
            var refusal = assertThrows(EngineException.class, () -> ports.take(1, List.of(port)));
            assertTrue(refusal.getMessage().contains("port " + port), refusal::getMessage);
        }
        int any = ports.take(1, List.of()).getFirst();
        assertThrows(EngineException.class, () -> ports.take(0, List.of(any)));
        ports.giveBack(List.of(any));
        assertEquals(List.of(any), ports.take(0, List.of(any)));
    }

    private static Map<String, String> withTwins(Map<String, String> variables) {
        var all = new TreeMap<>(variables);
        variables.forEach((name, value) -> all.put("FAIRLEAD_" + name, value));
        return all;
    }

    /** A training job with one task of two GPUs on each node. */
    private static Effect.Launch training(String... nodes) {
        var plain = launch(role("main", nodes.length, 2)).job().spec();
        var training =
                new Training(
                        3,
                        32,
                        1_000,
                        2,
                        0,
                        4,
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        var mount = new Container.Mount("/home/me/runs", "/snapshots", false);
        var spec =
                plain.with(
                        edit -> {
                            edit.workingFolder = "/";
                            edit.container =
                                    new Container(Optional.empty(), List.of(mount), List.of());
                            edit.training = Optional.of(training);
                        });
        var job = Job.submitted(JOB, spec, "me", Instant.EPOCH, Optional.empty(), Optional.empty());
        var tasks = new ArrayList<TaskPlacement>();
        for (int i = 0; i < nodes.length; i++) {
            tasks.add(TaskPlacement.whole(new TaskId("main", i), nodes[i], HELD));
        }
        return new Effect.Launch(job, new Attempt(new AttemptId(JOB, 3), new Placement(tasks)));
    }

    @Test
    void aGangTooLargeForOneVariableGoesWithoutTfConfig() {
        var launch = launch(role("worker", 10_000, 0));
        var ports = IntStream.range(20_000, 30_001).boxed().toList();
        var variables =
                new LocalEnvironment(launch, ports, List.of(), MoreVariables.NONE).of(9_999);
        assertFalse(variables.containsKey("TF_CONFIG"));
        assertEquals("9999", variables.get("RANK"));
    }

    @Test
    void portsLieOutsideTheKernelsRangeAndAreDistinct() throws Exception {
        var candidates = Ports.candidates("32768\t60999\n");
        assertTrue(candidates.contains(32_767));
        assertFalse(candidates.contains(32_768));
        assertFalse(candidates.contains(60_999));
        assertTrue(candidates.contains(61_000));
        var ports = new Ports();
        var one = ports.take(50, List.of());
        var other = ports.take(50, List.of());
        assertEquals(100, Stream.concat(one.stream(), other.stream()).distinct().count());
    }

    private static Role role(String name, int count, int gpus) {
        return new Role(
                name,
                count,
                List.of("true"),
                new Resources(gpus, 0, 0),
                OptionalInt.empty(),
                OptionalInt.empty());
    }

    private static Effect.Launch launch(Role... roles) {
        var spec =
                JobSpec.of(
                        edit -> {
                            edit.name = "train";
                            edit.cluster = "local";
                            edit.project = "default";
                            edit.roles = List.of(roles);
                            edit.workingFolder = "/";
                        });
        var job = Job.submitted(JOB, spec, "me", Instant.EPOCH, Optional.empty(), Optional.empty());
        var tasks = new ArrayList<TaskPlacement>();
        for (Role role : roles) {
            var gpus = HELD.subList(0, role.resources().gpus());
            for (int i = 0; i < role.count(); i++) {
                tasks.add(TaskPlacement.whole(new TaskId(role.name(), i), "n1", gpus));
            }
        }
        return new Effect.Launch(job, new Attempt(new AttemptId(JOB, 3), new Placement(tasks)));
    }
}
