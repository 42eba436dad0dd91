package fairlead.engines.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.ExecRequest;
import fairlead.engine.ExecSession;
import fairlead.engines.local.container.ContainerSettings;
import fairlead.engines.local.linux.Listeners;
import fairlead.engines.local.linux.Processes;
import fairlead.job.Container;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobSpec;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Tasks in containers of the real podman. */
class ContainedTasksTest {
    private static final TaskId MAIN = new TaskId(Role.MAIN, 0);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final AtomicInteger JOBS = new AtomicInteger();

    @TempDir static Path store;
    private static Podman podman;

    @TempDir Path home;
    @TempDir Path folder;
    private LocalEngine engine;

    @BeforeAll
    static void find() throws Exception {
        podman = Podman.in(store);
    }

    @BeforeEach
    void open() throws Exception {
        engine = opened();
    }

    private LocalEngine opened() throws Exception {
        var containers = new ContainerSettings(podman.program().toString(), false);
        return LocalEngine.open(LocalSettings.at(home).withContainers(containers));
    }

    /** Whatever a test does, no container may be left. */
    @AfterEach
    void close() throws Exception {
        for (var seen : engine.observe()) engine.forget(seen.attempt());
        engine.close();
        assertEquals(List.of(), podman.containers());
    }

    @Test
    void aTaskRunsInsideItsImageAndTheShimHasItsTrueCode() throws Exception {
        assertTrue(engine.runsImages());
        var launch = launched("", "cat /who; pwd; echo $FAIRLEAD_JOB; exit 7");
        assertEquals(OptionalInt.of(7), exit(launch).code());
        assertEquals("the image\n/\n" + launch.job().id() + "\n", log(launch));
    }

    @Test
    void variablesArriveByteForByteWhateverIsInThem() throws Exception {
        var values =
                Map.of(
                        "LINES", "one\ntwo\n",
                        "QUOTED", "\"a\" 'b'",
                        "PLAIN", "  a \"b\" $HOME \\n #c = d ",
                        "LONG", "x".repeat(100_000),
                        "TF_CONFIG", "{\"cluster\": {\"worker\": [\"a:1\"]}}");
        String script =
                "for n in LINES QUOTED PLAIN TF_CONFIG; do eval \"printf '%s|' \\\"\\$$n\\\"\";"
                        + " done; printf ${#LONG}";
        var launch = launch(spec("", script, values, Container.Details.USUAL, List.of()));
        engine.launch(launch);
        assertEquals(OptionalInt.of(0), exit(launch).code());
        assertEquals(
                "one\ntwo\n|\"a\" 'b'|  a \"b\" $HOME \\n #c = d |"
                        + "{\"cluster\": {\"worker\": [\"a:1\"]}}|100000",
                log(launch));
        try (var files = Files.walk(home)) {
            assertFalse(files.anyMatch(file -> file.toString().endsWith(".env")), "removed");
        }
    }

    @Test
    void theWorkingFolderAndMountsAreFoundAtTheirPaths() throws Exception {
        Files.writeString(folder.resolve("in"), "data\n");
        var mount = new Container.Mount(folder.toString(), "/custom", true);
        String script = "pwd; cat in; cat /custom/in; echo made >out; touch /custom/x || exit 3";
        var launch =
                launch(
                        spec(
                                folder.toString(),
                                script,
                                Map.of(),
                                Container.Details.USUAL,
                                List.of(mount)));
        engine.launch(launch);
        assertEquals(OptionalInt.of(3), exit(launch).code());
        assertTrue(log(launch).startsWith(folder + "\ndata\ndata\n"), log(launch));
        assertEquals("made\n", Files.readString(folder.resolve("out")));
    }

    @Test
    void aWorkingFolderThatTheMachineLacksIsTheImages() throws Exception {
        var launch = launched("/image-folder", "pwd");
        assertEquals(OptionalInt.of(0), exit(launch).code());
        assertEquals("/image-folder\n", log(launch));
    }

    @Test
    void theContainerHasItsLimitsItsNetworkAndItsLabels() throws Exception {
        var details = details(32L << 20, Optional.empty(), false, false);
        var launch = launch(spec("", "sleep 600", Map.of(), details, List.of()));
        engine.launch(launch);
        String id = running();
        String format =
                "{{.HostConfig.Memory}} {{.HostConfig.NanoCpus}} {{.HostConfig.ShmSize}}"
                        + " {{.HostConfig.NetworkMode}} {{index .Config.Labels \"fairlead.job\"}}"
                        + " {{index .Config.Labels \"fairlead.attempt\"}}"
                        + " {{index .Config.Labels \"fairlead.task\"}} {{.Name}}";
        assertEquals(
                "%d %d %d host %s 1 main/0 fairlead-%s-1-main-0\n"
                        .formatted(
                                64L << 20,
                                1_000_000_000,
                                32L << 20,
                                launch.job().id(),
                                launch.job().id()),
                podman.call("inspect", "--format", format, id));
    }

    @Test
    void theCommandReplacesTheEntryPointOrIsItsArguments() throws Exception {
        for (boolean own : List.of(false, true)) {
            var details = details(0, Optional.empty(), own, false);
            var spec = spec("", "", Map.of(), details, List.of(), Podman.ENTRY_IMAGE);
            var words = List.of("/bin/echo", "said");
            var launch = launch(withCommand(spec, words));
            engine.launch(launch);
            assertEquals(OptionalInt.of(0), exit(launch).code());
            assertEquals(own ? "own /bin/echo said\n" : "said\n", log(launch));
        }
    }

    @Test
    void aTaskRunsAsTheNumbersThatItAsksFor() throws Exception {
        var runAs = new Container.RunAs(1234, OptionalLong.of(567));
        var details = details(0, Optional.of(runAs), false, false);
        var launch = launch(spec("", "id -u; id -g", Map.of(), details, List.of()));
        engine.launch(launch);
        assertEquals(OptionalInt.of(0), exit(launch).code());
        assertEquals("1234\n567\n", log(launch));
    }

    @Test
    void aPoliteStopReachesTheCommandInsideAndItsCodeIsKept() throws Exception {
        var launch = launched("", "trap 'echo bye; exit 7' TERM; echo up; sleep 600 & wait");
        Eventually.when(() -> log(launch).equals("up\n"));
        engine.stop(launch.attempt(), LONG);
        Exit exit = exit(launch);
        assertEquals(OptionalInt.of(7), exit.code());
        assertTrue(exit.stopped());
        assertTrue(log(launch).startsWith("up\nbye\n"), log(launch));
        assertEquals(List.of(), podman.containers());
    }

    @Test
    void aCommandThatDoesNotListenIsKilledAfterTheGrace() throws Exception {
        var launch = launched("", "trap '' TERM; echo up; while true; do sleep 1; done");
        Eventually.when(() -> log(launch).equals("up\n"));
        engine.stop(launch.attempt(), Duration.ofMillis(200));
        Exit exit = exit(launch);
        assertEquals(OptionalInt.of(137), exit.code());
        assertEquals("killed: it did not end within 0 s of SIGTERM", exit.note());
        assertEquals(List.of(), podman.containers());
    }

    /** Goal: there is no moment in which a stop is lost. Method: stop ever later after a launch. */
    @Test
    void aStopThatComesBeforeTheContainerIsThereEndsItToo() throws Exception {
        for (int pause = 0; pause <= 600; pause += 60) {
            var launch = launched("", "sleep 600");
            LockSupport.parkNanos(Duration.ofMillis(pause).toNanos());
            long before = System.nanoTime();
            engine.stop(launch.attempt(), LONG);
            assertTrue(exit(launch).stopped());
            long seconds = Duration.ofNanos(System.nanoTime() - before).toSeconds();
            assertTrue(seconds < LONG.toSeconds() / 2, "not by force: " + seconds + " s");
            assertEquals(List.of(), podman.containers(), "after " + pause + " ms");
        }
    }

    @Test
    void aKilledProgramLeavesNoContainerBehind() throws Exception {
        var launch = launched("", "echo up; sleep 600");
        Eventually.when(() -> log(launch).equals("up\n"));
        long client = process(launch, " run --rm ", "/bin/sh");
        ProcessHandle.of(client).orElseThrow().destroyForcibly();
        assertEquals(OptionalInt.of(137), exit(launch).code());
        assertEquals(List.of(), podman.containers());
    }

    @Test
    void aKilledShimLeavesNoContainerBehind() throws Exception {
        var launch = launched("", "echo up; sleep 600");
        Eventually.when(() -> log(launch).equals("up\n"));
        var claim = home.resolve("attempts").resolve(launch.job().id().text());
        String shim = Files.readAllLines(claim.resolve("1.main-0.task")).getFirst();
        ProcessHandle.of(Long.parseLong(shim)).orElseThrow().destroyForcibly();
        assertTrue(exit(launch).isLost());
        assertEquals(List.of(), podman.containers());
    }

    /**
     * What a command beside a task finds in the image's file. In a chroot the runtimes of podman
     * lead it into the root of the machine; anywhere else that would be wrong.
     */
    private static String seenBeside(String end) throws Exception {
        return Podman.isInChroot() ? "" : "the image" + end;
    }

    @Test
    void aTaskOutlivesItsServerAndTheNextOneStopsIt() throws Exception {
        var launch = launched("", "trap 'exit 9' TERM; echo up; sleep 600 & wait");
        Eventually.when(() -> log(launch).equals("up\n"));
        engine.close();
        assertEquals(1, podman.containers().size());
        engine = opened();
        try (var session = exec(launch, Optional.empty(), "/bin/cat", "/who")) {
            assertEquals(seenBeside("\n"), new String(session.output().readAllBytes(), UTF_8));
        }
        engine.stop(launch.attempt(), LONG);
        assertEquals(OptionalInt.of(9), exit(launch).code());
    }

    @Test
    void whatIsForgottenIsRemovedByForce() throws Exception {
        var launch = launched("", "trap '' TERM; echo up; while true; do sleep 1; done");
        Eventually.when(() -> log(launch).equals("up\n"));
        engine.forget(launch.attempt());
        assertEquals(List.of(), podman.containers());
        String mark = launch.attempt() + "/" + MAIN;
        assertTrue(Processes.all().stream().noneMatch(each -> each.mark().endsWith(mark)));
    }

    @Test
    void aContainerThatCannotStartSaysWhyInTheProgramsWords() throws Exception {
        var never = details(0, Optional.empty(), false, false);
        var unknown =
                launch(spec("", "true", Map.of(), never, List.of(), "localhost/nobody-has:1"));
        engine.launch(unknown);
        Exit exit = exit(unknown);
        assertEquals(OptionalInt.of(125), exit.code());
        assertTrue(exit.note().startsWith("the container did not start: "), exit.note());
        assertTrue(exit.note().contains("localhost/nobody-has:1"), exit.note());

        var nowhere = launched("/no-such-folder", "true");
        exit = exit(nowhere);
        assertTrue(exit.code().getAsInt() >= 125, exit.toString());
        assertTrue(exit.note().contains("/no-such-folder"), exit.note());

        var own = launched("", "no-such-program");
        exit = exit(own);
        assertEquals(OptionalInt.of(127), exit.code());
        assertEquals("", exit.note(), "the command's own");
    }

    @Test
    void aCommandBesideTheTaskIsInsideItsContainerAndEndsWithItsSession() throws Exception {
        var launch = launched("", "echo up; sleep 600");
        Eventually.when(() -> log(launch).equals("up\n"));
        var window = Optional.of(new ExecRequest.Window(33, 99, "xterm"));
        try (var session =
                exec(launch, window, "/bin/sh", "-c", "cat /who 2>&-; echo $TERM; exit 4")) {
            assertEquals(
                    seenBeside("\r\n") + "xterm\r\n",
                    new String(session.output().readAllBytes(), UTF_8));
            assertEquals(4, session.await());
        }
        try (var session = exec(launch, window, "/bin/sleep", "987")) {
            Eventually.when(() -> hasProcess("sleep\0" + "987"));
            session.resize(10, 20);
        }
        Eventually.when(() -> !hasProcess("sleep\0" + "987"));
        assertEquals(1, podman.containers().size());
    }

    @Test
    void whatIsTypedReachesTheCommandInside() throws Exception {
        var details = details(0, Optional.empty(), false, true);
        var launch = launch(spec("", "read a; echo got $a", Map.of(), details, List.of()));
        engine.launch(launch);
        try (var session = engine.attach(launch.attempt(), MAIN)) {
            session.input().write("it\n".getBytes(UTF_8));
            assertEquals("got it\n", new String(session.output().readAllBytes(), UTF_8));
        }
        assertEquals(OptionalInt.of(0), exit(launch).code());
    }

    @Test
    void aPortOfTheContainerIsForwarded() throws Exception {
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        var launch = launched("", "echo up; httpd -f -p 127.0.0.1:" + port + " -h /");
        Eventually.when(() -> !Listeners.on(port).inodes().isEmpty());
        try (var session = engine.forward(launch.attempt(), MAIN, port)) {
            session.input().write("GET /who HTTP/1.0\r\n\r\n".getBytes(UTF_8));
            session.input().flush();
            String page = new String(session.output().readAllBytes(), UTF_8);
            assertTrue(page.endsWith("the image\n"), page);
        }
    }

    @Test
    void aTaskWithoutAnImageIsAProcessAsBefore() throws Exception {
        var plain =
                Jobs.single(
                        CrashingServer.job(JOBS.incrementAndGet()),
                        "/",
                        List.of("/bin/sh", "-c", "cat /who; exit 5"));
        engine.launch(plain);
        assertEquals(OptionalInt.of(5), exit(plain).code());
        assertTrue(engine.notes().getLast().startsWith("tasks with an image run in containers"));
    }

    private static Container.Details details(
            long shm, Optional<Container.RunAs> runAs, boolean ownEntryPoint, boolean stdin) {
        return Container.Details.of(
                edit -> {
                    edit.shmBytes = shm;
                    edit.runAs = runAs;
                    edit.ownEntryPoint = ownEntryPoint;
                    edit.pullPolicy = Optional.of(Container.PullPolicy.NEVER);
                    edit.stdin = stdin;
                });
    }

    private Effect.Launch launched(String workdir, String script) throws Exception {
        var details = details(0, Optional.empty(), false, false);
        var launch = launch(spec(workdir, script, Map.of(), details, List.of()));
        engine.launch(launch);
        return launch;
    }

    private static JobSpec spec(
            String workdir,
            String script,
            Map<String, String> variables,
            Container.Details details,
            List<Container.Mount> mounts) {
        return spec(workdir, script, variables, details, mounts, Podman.IMAGE);
    }

    private static JobSpec spec(
            String workdir,
            String script,
            Map<String, String> variables,
            Container.Details details,
            List<Container.Mount> mounts,
            String image) {
        var role =
                new Role(
                        Role.MAIN,
                        1,
                        List.of("/bin/sh", "-c", script),
                        new Resources(0, 1, 64L << 20),
                        OptionalInt.empty(),
                        OptionalInt.empty());
        var spec = new JobSpec.Edit();
        spec.name = "contained";
        spec.cluster = "local";
        spec.project = "default";
        spec.roles = List.of(role);
        spec.environment = variables;
        spec.workingFolder = workdir;
        spec.container = new Container(Optional.of(image), mounts, List.of(), details);
        return spec.spec();
    }

    private static JobSpec withCommand(JobSpec spec, List<String> command) {
        return spec.withRoles(
                role ->
                        new Role(
                                role.name(),
                                1,
                                command,
                                role.resources(),
                                OptionalInt.empty(),
                                OptionalInt.empty()));
    }

    private static Effect.Launch launch(JobSpec spec) {
        var id = CrashingServer.job(JOBS.incrementAndGet());
        var plain = Jobs.single(id, "/", List.of("true"));
        var job =
                Job.submitted(
                        id,
                        spec,
                        "me",
                        plain.job().submitted(),
                        Optional.empty(),
                        Optional.empty());
        return new Effect.Launch(job, plain.place());
    }

    private ExecSession exec(
            Effect.Launch launch, Optional<ExecRequest.Window> window, String... command)
            throws Exception {
        return engine.exec(
                new ExecRequest(
                        launch.attempt(), MAIN, launch.job().spec(), List.of(command), window));
    }

    /** The id of the one container, once its command runs. */
    private String running() throws Exception {
        Eventually.when(() -> podman.call("ps", "--quiet").lines().count() == 1);
        return podman.containers().getFirst();
    }

    private static boolean hasProcess(String words) throws Exception {
        for (var each : Processes.all())
            if (Processes.arguments(each.pid()).contains(words)) return true;
        return false;
    }

    /** The process of the attempt whose words contain one text and do not begin with the other. */
    private static long process(Effect.Launch launch, String words, String not) throws Exception {
        String mark = launch.attempt() + "/" + MAIN;
        for (var each : Processes.all()) {
            String arguments = Processes.arguments(each.pid()).replace('\0', ' ');
            if (each.mark().endsWith(mark)
                    && arguments.contains(words)
                    && !arguments.startsWith(not)
                    && !arguments.startsWith("sh ")) return each.pid();
        }
        throw new AssertionError("no process" + words);
    }

    private Exit exit(Effect.Launch launch) throws Exception {
        var seen = new Exit[1];
        Eventually.when(
                () -> {
                    for (var each : engine.observe())
                        if (each.attempt().equals(launch.attempt()))
                            seen[0] = each.exits().get(MAIN);
                    return seen[0] != null;
                });
        return seen[0];
    }

    private String log(Effect.Launch launch) throws Exception {
        return new String(engine.log(launch.attempt(), MAIN).read(0, 1 << 20), UTF_8);
    }
}
