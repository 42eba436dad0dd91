package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.EngineException;
import fairlead.engine.ExecRequest;
import fairlead.engine.ExecSession;
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
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Commands in pods, tasks that are attached to, and ports, over the API server. */
@Tag("cluster")
class PodSessionsTest {
    private static final TaskId MAIN = new TaskId(Role.MAIN, 0);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The minor version that speaks v5.channel.k8s.io. */
    private static final int ENDS_OF_INPUT = 30;

    private static final ExecRequest.Window WINDOW = new ExecRequest.Window(30, 100, "xterm");
    private static final AtomicInteger JOBS = new AtomicInteger();

    @TempDir static Path clusterFolder;
    private static TestCluster cluster;

    @TempDir Path home;
    private KubernetesEngine engine;

    @BeforeAll
    static void openCluster() throws Exception {
        cluster = TestCluster.open(clusterFolder, TestNode.withGpus("node-a", 0));
    }

    @AfterAll
    static void closeCluster() {
        cluster.close();
    }

    @BeforeEach
    void open() throws Exception {
        assumeTrue(cluster.canExec(), () -> cluster.whyNoExec().orElseThrow());
        engine = KubernetesEngine.open(Pods.settings(cluster, home, Duration.ofMinutes(1)));
    }

    @AfterEach
    void close() throws Exception {
        for (var seen : engine.observe()) engine.forget(seen.attempt());
        engine.close();
    }

    @Test
    void aCommandHasStreamsOfItsOwnAndAnExitCode() throws Exception {
        var launch = running(false, "sleep 600");
        try (var session = exec(launch, "echo $GREETING; echo err >&2; exit 7")) {
            assertEquals("two words\n", text(session));
            assertEquals("err\n", errors(session));
            assertEquals(7, within(session::await));
        }
        try (var session = exec(launch, "exit 0")) {
            assertEquals(0, within(session::await));
        }
    }

    @Test
    void whatIsWrittenToACommandIsReadByItToTheLastByte() throws Exception {
        String minor = cluster.client().getKubernetesVersion().getMinor();
        assumeTrue(
                cluster.kubelet().isPresent()
                        || Integer.parseInt("0" + minor.replaceAll("\\D", "")) >= ENDS_OF_INPUT,
                "API servers before 1.30 cannot pass on the end of the input");
        byte[] bytes = new byte[1 << 20];
        new Random(1).nextBytes(bytes);
        try (var session = exec(running(false, "sleep 600"), "cat; exit 3")) {
            var writing = CompletableFuture.runAsync(() -> write(session, bytes));
            assertArrayEquals(bytes, within(() -> session.output().readAllBytes()));
            writing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertEquals(3, within(session::await));
        }
    }

    @Test
    void aReaderThatIsSlowLosesNothing() throws Exception {
        var launch = running(false, "sleep 600");
        try (var session = exec(launch, "head -c 8388608 /dev/zero; echo done >&2")) {
            // Nothing can have come to the errors while the output waits to be read.
            var errors = CompletableFuture.supplyAsync(() -> quietly(() -> errors(session)));
            assertThrows(
                    java.util.concurrent.TimeoutException.class,
                    () -> errors.get(500, TimeUnit.MILLISECONDS));
            assertEquals(8 << 20, within(() -> session.output().readAllBytes()).length);
            assertEquals("done\n", errors.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
    }

    @Test
    void aTerminalHasASizeThatChangesAndCtrlCInterruptsWithoutEndingTheSession() throws Exception {
        var launch = running(false, "sleep 600");
        try (var session = engine.exec(request(launch, Optional.of(WINDOW), "sh", "-i"))) {
            var screen = new Screen(session);
            screen.type("PS1=; tty; echo $TERM; echo one-$((1 + 1))\n");
            screen.await("/dev/pts/");
            screen.await("xterm");
            screen.await("one-2");
            screen.type("until stty size | grep '30 100'; do :; done\n");
            screen.await("30 100\r\n");
            session.resize(40, 120);
            screen.type(
                    "until stty size | grep '40 120'; do :; done;"
                            + " sh -c 'echo begun-$((1 + 2)); exec sleep 600'\n");
            screen.await("begun-3");
            screen.type("\u0003");
            screen.type("echo code-$?\n");
            screen.await("code-130");
            screen.type("exit 9\n");
            assertEquals(9, within(session::await));
        }
    }

    @Test
    void aProgramThatIsNotThereIsToldInWords() throws Exception {
        var launch = running(false, "sleep 600");
        try (var session = engine.exec(request(launch, Optional.empty(), "no-such-program"))) {
            assertEquals("", text(session));
            String told = errors(session);
            assertTrue(told.contains("no-such-program"), told);
            assertEquals(127, within(session::await));
        }
    }

    @Test
    void aCommandDiesWithItsPod() throws Exception {
        var launch = running(false, "sleep 600");
        try (var session = exec(launch, "echo here; sleep 600")) {
            assertEquals('h', session.output().read());
            engine.stop(launch.attempt(), Duration.ofSeconds(1));
            assertTrue(within(session::await) > 128);
        }
    }

    @Test
    void whoeverAttachesSeesWhatIsWrittenFromThenOnAndTheExitCode() throws Exception {
        var launch =
                running(
                        true,
                        "echo before; read a; echo got $a; read b; echo and $b; sleep 1; exit 5");
        Eventually.when(() -> log(launch).equals("before\n"));
        try (var session = engine.attach(launch.attempt(), MAIN)) {
            session.input().write("one\n".getBytes(UTF_8));
            Eventually.when(() -> log(launch).equals("before\ngot one\n"));
            // Neither the end of this input nor the session's is one for the task.
            session.input().close();
        }
        try (var session = engine.attach(launch.attempt(), MAIN)) {
            session.input().write("two\n".getBytes(UTF_8));
            assertEquals("and two\n", text(session));
            assertEquals(5, within(session::await));
        }
    }

    @Test
    void aPortIsReached() throws Exception {
        int port = freePort();
        var launch =
                running(
                        false,
                        "command -v python3 && exec python3 -m http.server -d / %d; exec httpd -f -h / -p %d"
                                .formatted(port, port));
        Eventually.when(() -> answers(launch, port));
        try (var session = engine.forward(launch.attempt(), MAIN, port)) {
            session.input().write("GET /etc/passwd HTTP/1.0\r\n\r\n".getBytes(UTF_8));
            String answer = text(session);
            assertTrue(answer.contains("\r\n\r\nroot:"), answer);
            assertEquals("", errors(session));
            assertEquals(0, within(session::await));
        }
    }

    private boolean answers(Effect.Launch launch, int port) throws Exception {
        try (var session = engine.forward(launch.attempt(), MAIN, port)) {
            session.input().write("GET / HTTP/1.0\r\n\r\n".getBytes(UTF_8));
            return !text(session).isEmpty();
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    void aPortWhereNobodyListensIsToldInWords() throws Exception {
        int port = freePort();
        var launch = running(false, "sleep 600");
        try (var session = engine.forward(launch.attempt(), MAIN, port)) {
            assertEquals("", text(session));
            String told = errors(session);
            assertTrue(told.contains("connection refused"), told);
            assertEquals(0, within(session::await));
        }
    }

    @Test
    void somebodyWhoHasSaidAllIsLetGoOnceThePortIsQuiet() throws Exception {
        int port = freePort();
        String server =
                """
                import socket
                listener = socket.create_server(("127.0.0.1", %d))
                while True:
                    connection, _ = listener.accept()
                    connection.sendall(b"hello")
                    connection.recv(1)
                """
                        .formatted(port);
        assumeTrue(cluster.kubelet().isPresent(), "images of real clusters have no Python");
        var launch = running(false, "exec python3 -c '" + server + "'");
        Eventually.when(() -> greets(launch, port));
        try (var session = engine.forward(launch.attempt(), MAIN, port)) {
            session.input().close();
            assertEquals("hello", text(session));
            assertEquals(0, within(session::await));
        }
    }

    private boolean greets(Effect.Launch launch, int port) throws Exception {
        try (var session = engine.forward(launch.attempt(), MAIN, port)) {
            return within(() -> session.output().read()) == 'h';
        }
    }

    @Test
    void onlyARunningTaskIsReached() throws Exception {
        var launch = launched(true, "true");
        Eventually.when(() -> engine.observe().stream().anyMatch(seen -> !seen.exits().isEmpty()));
        String name = "task main/0 of " + launch.job().id();
        assertEquals(name + " has ended", refusal(() -> exec(launch, "true")));
        assertEquals(
                name + " has ended", refusal(() -> engine.forward(launch.attempt(), MAIN, 80)));
        engine.forget(launch.attempt());
        assertEquals(name + " does not run", refusal(() -> engine.attach(launch.attempt(), MAIN)));
    }

    private static String refusal(Answer<ExecSession> session) {
        return assertThrows(EngineException.class, () -> session.get().close()).getMessage();
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
            try {
                Eventually.when(() -> seen.indexOf(text) >= 0);
            } catch (AssertionError _) {
                throw new AssertionError(text + " in " + seen);
            }
        }
    }

    private Effect.Launch running(boolean stdin, String script) throws Exception {
        var launch = launched(stdin, script);
        Eventually.when(
                () ->
                        engine.observe().stream()
                                .anyMatch(
                                        seen ->
                                                seen.attempt().equals(launch.attempt())
                                                        && seen.running()));
        return launch;
    }

    private Effect.Launch launched(boolean stdin, String script) throws Exception {
        var role =
                new Role(
                        Role.MAIN,
                        1,
                        List.of("sh", "-c", script),
                        new Resources(0, 0, 0),
                        OptionalInt.empty(),
                        OptionalInt.empty());
        var details = Container.Details.of(edit -> edit.stdin = stdin);
        var image = Optional.of(cluster.image());
        var spec =
                JobSpec.of(
                        edit -> {
                            edit.name = "reached";
                            edit.cluster = "lab";
                            edit.project = "default";
                            edit.roles = List.of(role);
                            edit.environment = Map.of("GREETING", "two words");
                            edit.workingFolder = "";
                            edit.container = new Container(image, List.of(), List.of(), details);
                        });
        var id = new JobId("reached_1763180000_%08x".formatted(JOBS.incrementAndGet()));
        var job = Job.submitted(id, spec, "me", Instant.now(), Optional.empty(), Optional.empty());
        var place = new TaskPlacement(MAIN, cluster.nodes().getFirst(), List.of());
        var launch =
                new Effect.Launch(
                        job, new Attempt(new AttemptId(id, 1), new Placement(List.of(place))));
        engine.launch(launch);
        return launch;
    }

    private ExecSession exec(Effect.Launch launch, String script) throws EngineException {
        return engine.exec(request(launch, Optional.empty(), "sh", "-c", script));
    }

    private static ExecRequest request(
            Effect.Launch launch, Optional<ExecRequest.Window> window, String... command) {
        var spec = launch.job().spec();
        return new ExecRequest(launch.attempt(), MAIN, spec, List.of(command), window);
    }

    private static int freePort() throws IOException {
        try (var probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    private String log(Effect.Launch launch) throws Exception {
        return new String(engine.log(launch.attempt(), MAIN).read(0, 1 << 20), UTF_8);
    }

    private static void write(ExecSession session, byte[] bytes) {
        try (var input = session.input()) {
            input.write(bytes);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    private static String text(ExecSession session) throws Exception {
        return within(() -> new String(session.output().readAllBytes(), UTF_8));
    }

    private static String errors(ExecSession session) throws Exception {
        return within(() -> new String(session.errors().readAllBytes(), UTF_8));
    }

    private interface Answer<T> {
        T get() throws Exception;
    }

    private static <T> T quietly(Answer<T> answer) {
        try {
            return answer.get();
        } catch (Exception problem) {
            throw new IllegalStateException(problem);
        }
    }

    private static <T> T within(Answer<T> answer) throws Exception {
        return CompletableFuture.supplyAsync(() -> quietly(answer), Thread::startVirtualThread)
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
}
