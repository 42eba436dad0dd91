package fairlead.engines.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.EngineException;
import fairlead.engine.ExecRequest;
import fairlead.engine.ExecSession;
import fairlead.engines.local.linux.Libc;
import fairlead.engines.local.linux.Processes;
import fairlead.job.Container;
import fairlead.job.Container.Mount;
import fairlead.job.Effect;
import fairlead.job.Job;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.testing.Eventually;
import fairlead.testing.Root;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Commands beside running tasks: what they see, how they are spoken to, and how they end. */
class ExecTest {
    private static final TaskId MAIN = new TaskId(Role.MAIN, 0);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ExecRequest.Window WINDOW = new ExecRequest.Window(30, 100, "xterm");
    private static final String ME = "";
    private static final String OTHER = "nobody";

    @TempDir Path home;
    @TempDir Path folder;
    private LocalEngine engine;

    @BeforeEach
    void open() throws Exception {
        engine = LocalEngine.open(LocalSettings.at(home));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @AfterEach
    void close() throws Exception {
        for (var seen : engine.observe()) engine.forget(seen.attempt());
        engine.close();
    }

    @Test
    void aCommandHasStreamsOfItsOwnAndAnExitCode() throws Exception {
        try (var session = exec(task(ME, false, "sleep 600"), "echo out; echo err >&2; exit 7")) {
            assertEquals("out\n", text(session));
            assertEquals("err\n", new String(session.errors().readAllBytes(), UTF_8));
            assertEquals(7, session.await());
        }
    }

    @Test
    void aCommandThatASignalEndsTellsItAsAShellDoes() throws Exception {
        try (var session = exec(task(ME, false, "sleep 600"), "kill -SEGV $$")) {
            assertEquals(139, session.await());
        }
    }

    @Test
    void whatIsWrittenToACommandIsReadByItToTheLastByte() throws Exception {
        byte[] bytes = new byte[1 << 20];
        new Random(1).nextBytes(bytes);
        try (var session = exec(task(ME, false, "sleep 600"), "cat")) {
            var writing = CompletableFuture.runAsync(() -> write(session, bytes));
            assertArrayEquals(bytes, session.output().readAllBytes());
            writing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertEquals(0, session.await());
        }
    }

    private static void write(ExecSession session, byte[] bytes) {
        try (var input = session.input()) {
            input.write(bytes);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    @Test
    void aCommandHasTheFolderTheVariablesAndTheAccountOfItsTask() throws Exception {
        seesWhatItsTaskSees(task(ME, false, "sleep 600"));
    }

    @Test
    void aCommandHasTheMountsOfItsTask() throws Exception {
        var launch = task(ME, true, "sleep 600");
        seesWhatItsTaskSees(launch);
        try (var session = exec(launch, "echo new >/custom/made; ls /custom")) {
            assertEquals("made\n", text(session));
        }
        assertEquals("new\n", Files.readString(folder.resolve("made")));
    }

    @Test
    void aCommandRunsAsTheAccountOfItsTask() throws Exception {
        assumeTrue(
                Libc.effectiveUser() == 0, "not root: only root can run tasks as another account");
        seesWhatItsTaskSees(task(OTHER, false, "sleep 600"));
    }

    @Test
    void aCommandHasTheMountsOfATaskOfAnotherAccount() throws Exception {
        assumeTrue(
                Libc.effectiveUser() == 0, "not root: only root can run tasks as another account");
        // Where it must do without mounts, ContainerTest sees to the refusal.
        seesWhatItsTaskSees(task(OTHER, Root.mayMount(OTHER), "sleep 600"));
    }

    /** Its own shell's counters apart, a command sees just what the task itself has written. */
    private void seesWhatItsTaskSees(Effect.Launch launch) throws Exception {
        String look = "pwd; id -u; id -g; ls -di . /; env | grep -v ^_= | sort";
        var second = relaunched(launch, look + "; echo ready; sleep 600");
        Eventually.when(() -> log(second).endsWith("ready\n"));
        try (var session = exec(second, look + "; echo ready")) {
            assertEquals(log(second), text(session));
        }
        assertTrue(log(second).contains("GREETING=two words\n"), log(second));
        assertTrue(log(second).contains("FAIRLEAD_TASK=main/0\n"), log(second));
    }

    @Test
    void aTerminalHasASizeThatChangesAndCtrlCInterruptsWithoutEndingTheSession() throws Exception {
        var launch = task(ME, false, "sleep 600");
        try (var session = start(request(launch, Optional.of(WINDOW), "sh", "-i"))) {
            var screen = new Screen(session);
            screen.type("PS1=; tty; stty size; echo $TERM; echo one-$((1 + 1))\n");
            screen.await("/dev/pts/");
            screen.await("30 100");
            screen.await("xterm");
            screen.await("one-2");
            session.resize(40, 120);
            // Who says that it has begun is who is to be interrupted, not the shell before it.
            screen.type("stty size; sh -c 'echo begun-$((1 + 2)); exec sleep 600'\n");
            screen.await("40 120");
            screen.await("begun-3");
            screen.type("\u0003");
            screen.type("echo code-$?\n");
            screen.await("code-130");
            screen.type("exit 9\n");
            assertEquals(9, session.await());
        }
    }

    @Test
    void aTerminalOfAnotherAccountCanBeOpenedByIt() throws Exception {
        assumeTrue(
                Libc.effectiveUser() == 0, "not root: only root can run tasks as another account");
        var launch = task(OTHER, Root.mayMount(OTHER), "sleep 600");
        String script = "echo by-name >$(tty)";
        try (var session = start(request(launch, Optional.of(WINDOW), "sh", "-c", script))) {
            assertEquals("by-name\r\n", text(session));
        }
    }

    @Test
    void aCommandDiesWithItsTask() throws Exception {
        var launch = task(ME, false, "sleep 600");
        try (var session = exec(launch, "trap '' TERM HUP; echo here; sleep 600")) {
            assertEquals('h', session.output().read());
            engine.stop(launch.attempt(), Duration.ofMillis(100));
            var exit = CompletableFuture.supplyAsync(() -> exit(session));
            assertEquals(137, exit.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
        Eventually.when(() -> processesOf(launch) == 0);
    }

    private static int exit(ExecSession session) {
        try {
            return session.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void aClosedSessionLeavesNothingOfItsCommandBehind() throws Exception {
        var launch = task(ME, false, "exec sleep 600");
        Eventually.when(() -> processesOf(launch) == 2);
        var session = exec(launch, "trap '' HUP; sleep 601 & sleep 602 & echo here; wait");
        assertEquals('h', session.output().read());
        session.close();
        assertEquals(2, processesOf(launch));
    }

    @Test
    void whatACommandLeavesRunningDoesNotHoldUpItsEnd() throws Exception {
        try (var session = exec(task(ME, false, "sleep 600"), "sleep 601 & echo done")) {
            assertEquals("done\n", text(session));
            assertEquals(0, session.await());
        }
    }

    @Test
    void aTaskTakenUpByAnotherServerTakesCommandsToo() throws Exception {
        var launch = task(ME, true, "sleep 600");
        engine.close();
        engine = LocalEngine.open(LocalSettings.at(home));
        try (var session = exec(launch, "pwd; echo $GREETING")) {
            assertEquals("/custom\ntwo words\n", text(session));
        }
    }

    @Test
    void onlyARunningTaskTakesCommands() throws Exception {
        var launch = task(ME, false, "true");
        Eventually.when(() -> engine.observe().stream().anyMatch(seen -> !seen.exits().isEmpty()));
        var ended = assertThrows(EngineException.class, () -> exec(launch, "true"));
        assertEquals("task main/0 of " + launch.job().id() + " has ended", ended.getMessage());
        engine.forget(launch.attempt());
        var unknown = assertThrows(EngineException.class, () -> exec(launch, "true"));
        assertEquals("task main/0 of " + launch.job().id() + " does not run", unknown.getMessage());
    }

    @Test
    void aProgramThatIsNotThereIsToldInWords() throws Exception {
        var launch = task(ME, false, "sleep 600");
        try (var session = start(request(launch, Optional.empty(), "no-such-program"))) {
            String told = new String(session.errors().readAllBytes(), UTF_8);
            assertTrue(told.contains("no-such-program: not found"), told);
            assertEquals(127, session.await());
        }
    }

    /** Reads in the background what a terminal shows. */
    private static final class Screen {
        private final ExecSession session;
        private final StringBuffer seen = new StringBuffer();

        Screen(ExecSession session) {
            this.session = session;
            Thread.ofPlatform().daemon().start(this::read);
        }

        private void read() {
            byte[] block = new byte[1_024];
            try (var output = session.output()) {
                for (int n = output.read(block); n > 0; n = output.read(block))
                    seen.append(new String(block, 0, n, UTF_8));
            } catch (IOException problem) {
                seen.append(problem);
            }
        }

        void type(String text) throws IOException {
            session.input().write(text.getBytes(UTF_8));
        }

        void await(String text) throws Exception {
            Eventually.when(() -> text + " in " + seen, () -> seen.indexOf(text) >= 0);
        }
    }

    private Effect.Launch task(String account, boolean mounted, String script) throws Exception {
        var plain =
                Jobs.single(
                        CrashingServer.job(script.hashCode()),
                        mounted ? "/custom" : folder.toString(),
                        List.of("/bin/sh", "-c", script));
        var spec = plain.job().spec();
        var mounts = List.of(new Mount(folder.toString(), "/custom", false));
        var own =
                spec.with(
                        edit -> {
                            edit.environment = Map.of("GREETING", "two words");
                            edit.user = Optional.of(account).filter(name -> !name.isEmpty());
                            edit.container =
                                    mounted
                                            ? new Container(Optional.empty(), mounts, List.of())
                                            : Container.NONE;
                        });
        var refusal = engine.refuses(own);
        assumeTrue(refusal.isEmpty() || Root.mayMount(), () -> "not root: " + refusal);
        assertEquals(Optional.empty(), refusal);
        var job = plain.job();
        var launch =
                new Effect.Launch(
                        Job.submitted(
                                job.id(),
                                own,
                                "me",
                                job.submitted(),
                                Optional.empty(),
                                Optional.empty()),
                        plain.place());
        engine.launch(launch);
        return launch;
    }

    /** The same with another script, which is another job. */
    private Effect.Launch relaunched(Effect.Launch launch, String script) throws Exception {
        var spec = launch.job().spec();
        return task(spec.user().orElse(ME), !spec.container().mounts().isEmpty(), script);
    }

    /** Tries again while the answer is that the task has not begun yet, as on a busy machine. */
    private ExecSession start(ExecRequest request) throws EngineException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return engine.exec(request);
            } catch (EngineException problem) {
                boolean hasNotBegun = problem.getMessage().endsWith("try again in a moment");
                if (!hasNotBegun || System.nanoTime() - deadline > 0) throw problem;
            }
        }
    }

    private ExecSession exec(Effect.Launch launch, String script) throws EngineException {
        return start(request(launch, Optional.empty(), "/bin/sh", "-c", script));
    }

    private static ExecRequest request(
            Effect.Launch launch, Optional<ExecRequest.Window> window, String... command) {
        var spec = launch.job().spec();
        return new ExecRequest(launch.attempt(), MAIN, spec, List.of(command), window);
    }

    private static String text(ExecSession session) throws IOException {
        return new String(session.output().readAllBytes(), UTF_8);
    }

    private String log(Effect.Launch launch) throws Exception {
        return new String(engine.log(launch.attempt(), MAIN).read(0, 1 << 20), UTF_8);
    }

    private static long processesOf(Effect.Launch launch) throws IOException {
        String end = "/" + launch.attempt() + "/" + MAIN;
        return Processes.all().stream().filter(found -> found.mark().endsWith(end)).count();
    }
}
