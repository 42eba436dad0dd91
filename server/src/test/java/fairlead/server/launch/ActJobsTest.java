package fairlead.server.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActLaunch;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.ActView;
import fairlead.dialects.act.Place;
import fairlead.engine.Engine;
import fairlead.engine.TaskLog;
import fairlead.engines.local.LocalEngine;
import fairlead.engines.local.LocalSettings;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.ImageLogin;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Origin;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.server.bodies.JobBodies;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Jobs of ACT as real tasks of this machine, from the launch to what they leave behind. */
final class ActJobsTest {
    private static final int LOG_BYTES = 100_000;
    private static final LaunchHooks HOOKS =
            new LaunchHooks(List.of(new ActLaunch(Duration.ofSeconds(10))));

    /** The ranks of all tasks find each other by the variables, as those of PyTorch do. */
    private static final String MEET =
            """
            import os, socket, time
            rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
            place = (os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]))
            if rank == 0:
                listener = socket.create_server(place)
                met = sorted(listener.accept()[0].recv(10).decode() for _ in range(size - 1))
                os.write(1, ("met " + ",".join(met) + "\\n").encode())
            else:
                for _ in range(600):
                    try:
                        socket.create_connection(place, 30).sendall(str(rank).encode())
                        break
                    except ConnectionRefusedError:
                        time.sleep(0.05)
            """;

    @TempDir Path home;
    private Path temporary;
    private Path archive;
    private Engine engine;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final Map<String, Place> folders = new LinkedHashMap<>();

    @BeforeEach
    void open() throws Exception {
        temporary = Files.createDirectory(home.resolve("tmp"));
        archive = home.resolve("code.zip");
        environment.put("TMPDIR", temporary.toString());
        environment.put("FAIRLEAD_JOB_TOKEN", "known to the tasks alone");
        engine = LocalEngine.open(LocalSettings.at(home.resolve("local")).with(HOOKS));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private void pack(Map<String, String> files) throws IOException {
        try (var zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            for (var file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(UTF_8));
            }
        }
    }

    private Effect.Launch launch(int nodes, int processes, boolean mpi, String... command) {
        var act =
                new ActJob(
                        "aml",
                        0,
                        nodes,
                        processes,
                        mpi,
                        new Place.File(archive.toString()),
                        folders,
                        "--fast",
                        false,
                        false);
        var role =
                new Role(
                        Role.MAIN,
                        nodes,
                        List.of(command),
                        new Resources(0, 1, 0),
                        OptionalInt.of(1),
                        OptionalInt.empty());
        var spec =
                JobSpec.of(
                        edit -> {
                            edit.name = "train";
                            edit.cluster = "local";
                            edit.project = "default";
                            edit.roles = List.of(role);
                            edit.environment = environment;
                            edit.workingFolder = "/no/such/folder/of/the/laptop";
                            edit.origin =
                                    Optional.of(new Origin(ActOrigin.DIALECT, act.toJson(), ""));
                        });
        var id = new JobId("train_1_00000001");
        var job = Job.submitted(id, spec, "ann", Instant.now(), Optional.empty(), Optional.empty());
        var places = new ArrayList<TaskPlacement>();
        for (int i = 0; i < nodes; i++)
            places.add(new TaskPlacement(new TaskId(Role.MAIN, i), "here", List.of()));
        return new Effect.Launch(job, new Attempt(new AttemptId(id, 1), new Placement(places)));
    }

    @Test
    void aLaunchKeepsTheLoginOfItsImage() {
        var login = new ImageLogin("registry.example", "ann", "secret");
        Effect.Launch launch = launch(1, 1, false, "true").with(login);
        assertEquals(Optional.of(login), new PlannedCommands(HOOKS).prepare(launch).login());
    }

    @Test
    void a48AListTellsTheConfigOfAJob() {
        Job job = launch(1, 1, false, "true").job();
        var jobs = new JobBodies(List.of(new ActView()));
        assertEquals("aml", jobs.job(job).config());
        assertNull(
                jobs.job(job, Optional.empty(), Optional.empty(), JobBodies.Command.NONE).config());
    }

    private List<Exit> exits(Effect.Launch launch) throws Exception {
        return engine.observe().stream()
                .filter(seen -> seen.attempt().equals(launch.attempt()))
                .flatMap(seen -> seen.exits().values().stream())
                .toList();
    }

    private String log(Effect.Launch launch, int task) throws Exception {
        TaskLog log = engine.log(launch.attempt(), new TaskId(Role.MAIN, task));
        return new String(log.read(log.start(), LOG_BYTES), UTF_8);
    }

    /** The codes with which the tasks have ended. */
    private List<Integer> ran(Effect.Launch launch) throws Exception {
        engine.launch(new PlannedCommands(HOOKS).prepare(launch));
        return ended(launch);
    }

    private List<Integer> ended(Effect.Launch launch) throws Exception {
        int tasks = launch.place().placement().tasks().size();
        Eventually.when("the tasks have ended", () -> exits(launch).size() == tasks);
        return exits(launch).stream().map(exit -> exit.code().orElse(-1)).toList();
    }

    /** Empty once the node has nothing of the job any more. */
    private List<String> leftOnTheNode() throws IOException {
        try (Stream<Path> files = Files.walk(temporary, 2)) {
            return files.filter(file -> file.getNameCount() == temporary.getNameCount() + 2)
                    .map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("lock"))
                    .toList();
        }
    }

    @Test
    void theCommandRunsInItsCodeWithItsFoldersAndVariables() throws Exception {
        Path data = Files.createDirectories(home.resolve("store/data"));
        Files.writeString(data.resolve("in"), "input");
        folders.put("data", new Place.File(data.toString()));
        folders.put("output", new Place.File(home.resolve("store/output").toString()));
        pack(Map.of("compile.aml.sh", "echo \"built $1\" >made", "data/old", "old"));
        var launch =
                launch(
                        1,
                        1,
                        false,
                        "sh",
                        "-c",
                        "cat made data/in >output/result; ls data; echo"
                                + " $AZ_BATCH_HOST_LIST,$AZ_BATCHAI_JOB_MASTER_NODE_IP,$MASTER_IP");
        assertEquals(List.of(0), ran(launch), log(launch, 0));
        assertEquals("built --fast\ninput", Files.readString(home.resolve("store/output/result")));
        String said = log(launch, 0);
        assertTrue(said.endsWith("in\n127.0.0.1,127.0.0.1,127.0.0.1\n"), said);
        assertEquals(List.of(), leftOnTheNode());
    }

    @Test
    void theStoredSpecKeepsTheWordsOfTheUser() throws Exception {
        var launch = launch(1, 1, false, "python", "train.py");
        var laid = new PlannedCommands(HOOKS).prepare(launch);
        assertEquals(List.of("python", "train.py"), words(launch));
        assertEquals(
                List.of("run", "python", "train.py"),
                words(laid).subList(words(laid).size() - 3, words(laid).size()));
    }

    private static List<String> words(Effect.Launch launch) {
        return launch.job().spec().roles().getFirst().command();
    }

    @Test
    void aJobOfOtherOriginStaysAsItIs() throws Exception {
        pack(Map.of());
        var spec = launch(1, 1, true, "true").job().spec();
        var plain = spec.with(edit -> edit.origin = Optional.empty());
        var launch = launch(1, 1, true, "true");
        var other = new Effect.Launch(launch.job().asking(plain), launch.place());
        assertEquals(other, new PlannedCommands(HOOKS).prepare(other));
    }

    @Test
    void mpirunRunsTheRanksOfTwoTasks() throws Exception {
        pack(Map.of("meet.py", MEET));
        var launch = launch(2, 2, true, "python3", "meet.py");
        assertEquals(List.of(0, 0), ran(launch), log(launch, 0) + log(launch, 1));
        assertTrue(log(launch, 0).contains("[1,0]<stdout>:met 1,2,3\n"), log(launch, 0));
        assertFalse(log(launch, 0).contains("without it"), log(launch, 0));
        assertEquals(List.of(), leftOnTheNode());
    }

    @Test
    void withoutMpirunTheRanksMeetAllTheSame() throws Exception {
        hideMpi();
        pack(Map.of("meet.py", MEET));
        var launch = launch(2, 2, true, "python3", "meet.py");
        assertEquals(List.of(0, 0), ran(launch), log(launch, 0) + log(launch, 1));
        assertTrue(log(launch, 0).contains("[1,0]<stdout>:met 1,2,3\n"), log(launch, 0));
        assertTrue(log(launch, 0).contains("started without it"), log(launch, 0));
    }

    /** A PATH with the few programs that the ranks need. */
    private void hideMpi() throws IOException {
        Path bin = Files.createDirectory(home.resolve("bin"));
        for (String program : List.of("sh", "sleep", "touch"))
            Files.createSymbolicLink(bin.resolve(program), Path.of("/bin", program));
        Path python = Path.of("/usr/bin/python3");
        Files.createSymbolicLink(bin.resolve("python3"), python);
        environment.put("PATH", bin.toString());
    }

    @Test
    void theCodeOfTheRankThatFailsIsThatOfItsTask() throws Exception {
        pack(Map.of());
        var launch = launch(1, 2, true, "sh", "-c", "[ $RANK = 1 ] && exit 7; sleep 600");
        assertEquals(List.of(7), ran(launch), log(launch, 0));
    }

    @Test
    void anAbortReachesTheRanksOfAllTasks() throws Exception {
        pack(Map.of());
        String script =
                "trap 'touch %1$s/heard-$RANK; exit 0' TERM; touch %1$s/up-$RANK;".formatted(home)
                        + " while :; do sleep 0.05; done";
        var launch = launch(2, 2, true, "sh", "-c", script);
        engine.launch(new PlannedCommands(HOOKS).prepare(launch));
        Eventually.when("all ranks run", () -> files("up-") == 4);
        engine.stop(launch.attempt(), Duration.ofSeconds(20));
        ended(launch);
        assertEquals(4, files("heard-"));
        assertEquals(List.of(), leftOnTheNode());
    }

    private long files(String head) throws IOException {
        try (Stream<Path> files = Files.list(home)) {
            return files.filter(file -> file.getFileName().toString().startsWith(head)).count();
        }
    }

    @Test
    void codeThatWouldEscapeItsFolderIsRefused() throws Exception {
        pack(Map.of("../../../evil", "evil"));
        var launch = launch(1, 1, false, "true");
        assertEquals(List.of(1), ran(launch));
        assertTrue(log(launch, 0).contains("would land outside"), log(launch, 0));
        assertFalse(Files.exists(temporary.resolve("evil")));
    }
}
