package fairlead.engines.local.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.EngineException;
import fairlead.engine.ExecSession;
import fairlead.engines.local.CrashingServer;
import fairlead.engines.local.Jobs;
import fairlead.engines.local.LocalEngine;
import fairlead.engines.local.LocalSettings;
import fairlead.engines.local.linux.Libc;
import fairlead.job.Container;
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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Connections to a task: what passes through its streams and its ports, and what does not. */
class ConnectionsTest {
    private static final TaskId MAIN = new TaskId(Role.MAIN, 0);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Optional<String> ME = Optional.empty();

    /** Listens on a port of its own choice, tells it in the file port, and takes a connection. */
    private static final String LISTEN =
            """
            import os, socket
            listener = socket.create_server(("127.0.0.1", 0))
            def tell(socket):
                open("port.new", "w").write(str(socket.getsockname()[1]))
                os.rename("port.new", "port")
            def receive(connection):
                parts = []
                while part := connection.recv(65536): parts.append(part)
                return b"".join(parts)
            """;

    private static final String TAKE = "tell(listener)\nconnection, _ = listener.accept()\n";

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
    void whoeverAttachesSeesWhatIsWrittenFromThenOnAndTheExitCode() throws Exception {
        Path go = folder.resolve("go");
        var launch =
                shell(
                        false,
                        ME,
                        "echo before; until [ -e go ]; do sleep 0.02; done; echo now; exit 7");
        Eventually.when(() -> log(launch).equals("before\n"));
        try (var session = engine.attach(launch.attempt(), MAIN)) {
            Files.createFile(go);
            assertEquals("now\n", text(session));
            assertEquals("", new String(session.errors().readAllBytes(), UTF_8));
            assertEquals(7, within(session::await));
        }
    }

    @Test
    void whatIsTypedReachesTheTaskAlsoThroughAnotherServer() throws Exception {
        var launch = shell(true, ME, "read a; echo got $a; read b; echo and $b; exit 3");
        try (var session = engine.attach(launch.attempt(), MAIN)) {
            type(session, "one\n");
            Eventually.when(() -> log(launch).equals("got one\n"));
            // Neither the end of this input nor the session's is one for the task.
            session.input().close();
        }
        engine.close();
        engine = LocalEngine.open(LocalSettings.at(home));
        try (var session = engine.attach(launch.attempt(), MAIN)) {
            type(session, "two\n");
            assertEquals("and two\n", text(session));
            assertEquals(3, within(session::await));
        }
        assertFalse(pipes(launch), "the pipe outlives its task");
    }

    @Test
    void aTaskThatReadsLateGetsEveryByte() throws Exception {
        byte[] bytes = new byte[1 << 20];
        new Random(1).nextBytes(bytes);
        var launch = shell(true, ME, "until [ -e go ]; do sleep 0.02; done; head -c 1048576 >copy");
        try (var session = engine.attach(launch.attempt(), MAIN)) {
            var writing = CompletableFuture.runAsync(() -> write(session, bytes));
            Files.createFile(folder.resolve("go"));
            assertEquals(0, within(session::await));
            writing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        assertArrayEquals(bytes, Files.readAllBytes(folder.resolve("copy")));
    }

    @Test
    void aTaskOfAnotherAccountMayOpenItsInputByName() throws Exception {
        assumeTrue(
                Libc.effectiveUser() == 0, "not root: only root can run tasks as another account");
        var launch = shell(true, Optional.of("nobody"), "read a </dev/stdin; echo got $a");
        try (var session = engine.attach(launch.attempt(), MAIN)) {
            type(session, "one\n");
            assertEquals("got one\n", text(session));
        }
    }

    @Test
    void aTaskThatAskedForNoInputHasNone() throws Exception {
        var launch =
                shell(false, ME, "cat; echo empty; until [ -e go ]; do sleep 0.02; done; exit 0");
        Eventually.when(() -> log(launch).equals("empty\n"));
        try (var session = engine.attach(launch.attempt(), MAIN)) {
            var refused = assertThrows(IOException.class, () -> type(session, "one\n"));
            assertEquals("the task has no standard input", refused.getMessage());
            Files.createFile(folder.resolve("go"));
            assertEquals(0, within(session::await));
        }
    }

    @Test
    void aClosedSessionLeavesTheTaskAlone() throws Exception {
        var launch = shell(true, ME, "sleep 600");
        engine.attach(launch.attempt(), MAIN).close();
        assertTrue(engine.observe().getFirst().exits().isEmpty());
    }

    @Test
    void aConnectionPassesAllBytesAfterItsInputHasEnded() throws Exception {
        byte[] bytes = new byte[1 << 20];
        new Random(1).nextBytes(bytes);
        var launch = python(TAKE + "connection.sendall(receive(connection))\nconnection.close()");
        try (var session = engine.forward(launch.attempt(), MAIN, port())) {
            var writing = CompletableFuture.runAsync(() -> write(session, bytes));
            assertArrayEquals(bytes, session.output().readAllBytes());
            writing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertEquals(0, within(session::await));
        }
    }

    @Test
    void aPortThatHasSaidAllStillHearsTheRest() throws Exception {
        var launch =
                python(
                        TAKE
                                + """
                                connection.sendall(b"hello")
                                connection.shutdown(socket.SHUT_WR)
                                open("heard", "wb").write(receive(connection))
                                """);
        try (var session = engine.forward(launch.attempt(), MAIN, port())) {
            assertEquals("hello", text(session));
            write(session, "the rest".getBytes(UTF_8));
            assertEquals(0, within(session::await));
        }
        Path heard = folder.resolve("heard");
        Eventually.when(() -> Files.exists(heard) && Files.readString(heard).equals("the rest"));
    }

    @Test
    void aPortThatBreaksOffEndsTheConnection() throws Exception {
        // Closed with bytes unread, which resets the connection.
        var launch = python(TAKE + "connection.recv(1)\nconnection.close()\nlistener.accept()");
        try (var session = engine.forward(launch.attempt(), MAIN, port())) {
            session.input().write("many".getBytes(UTF_8));
            assertEquals("", text(session));
            assertEquals(0, within(session::await));
        }
    }

    @Test
    void aProcessThatHasLeftTheTasksSessionIsStillTheTasks() throws Exception {
        // The parent has no part in the listener: only the child's mark leads to it.
        var launch =
                python(
                        """
                        if os.fork():
                            listener.close()
                            os.wait()
                            os._exit(0)
                        os.setsid()
                        """
                                + TAKE
                                + "connection.sendall(b'away')\nconnection.close()");
        try (var session = engine.forward(launch.attempt(), MAIN, port())) {
            assertEquals("away", text(session));
        }
    }

    @Test
    void aPortOfTheNewKindOfAddressesIsReachedToo() throws Exception {
        String six =
                """
                listener = socket.create_server(("::1", 0), family=socket.AF_INET6)
                """;
        // A machine without IPv6 has no such port.
        if (!Root.succeeds("python3", "-c", LISTEN + six)) return;
        var launch = python(six + TAKE + "connection.sendall(b'six')\nconnection.close()");
        try (var session = engine.forward(launch.attempt(), MAIN, port())) {
            assertEquals("six", text(session));
        }
    }

    @Test
    void nobodyElsesPortIsReached() throws Exception {
        var launch = shell(false, ME, "sleep 600");
        try (var ours = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = ours.getLocalPort();
            assertEquals(
                    "no process of task main/0 of "
                            + launch.job().id()
                            + " listens on port "
                            + port,
                    refusal(launch, port));
        }
    }

    @Test
    void aPortThatIsSharedWithOthersIsNotReached() throws Exception {
        try (var ours = ServerSocketChannel.open()) {
            ours.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            ours.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = ours.socket().getLocalPort();
            var launch =
                    python(
                            """
                            listener = socket.socket()
                            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                            listener.bind(("127.0.0.1", %d))
                            listener.listen()
                            """
                                            .formatted(port)
                                    + TAKE);
            port();
            assertEquals(
                    "others than task main/0 of %s listen on port %d too, so nobody can say who would answer"
                            .formatted(launch.job().id(), port),
                    refusal(launch, port));
        }
    }

    @Test
    void onlyARunningTaskIsReached() throws Exception {
        var launch = shell(true, ME, "true");
        Eventually.when(() -> engine.observe().stream().anyMatch(seen -> !seen.exits().isEmpty()));
        String ended = "task main/0 of " + launch.job().id() + " has ended";
        assertEquals(ended, refusal(launch, 80));
        var attach =
                assertThrows(
                        EngineException.class, () -> engine.attach(launch.attempt(), MAIN).close());
        assertEquals(ended, attach.getMessage());
    }

    private String refusal(Effect.Launch launch, int port) {
        return assertThrows(
                        EngineException.class,
                        () -> engine.forward(launch.attempt(), MAIN, port).close())
                .getMessage();
    }

    private Effect.Launch python(String script) throws Exception {
        return launched(false, ME, List.of("python3", "-c", LISTEN + script));
    }

    private Effect.Launch shell(boolean stdin, Optional<String> account, String script)
            throws Exception {
        return launched(stdin, account, List.of("/bin/sh", "-c", script));
    }

    private Effect.Launch launched(boolean stdin, Optional<String> account, List<String> command)
            throws Exception {
        var plain = Jobs.single(CrashingServer.job(command.hashCode()), folder.toString(), command);
        var spec = plain.job().spec();
        var details = Container.Details.of(edit -> edit.stdin = stdin);
        var own =
                spec.with(
                        edit -> {
                            edit.user = account;
                            edit.container =
                                    new Container(Optional.empty(), List.of(), List.of(), details);
                        });
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

    /** The port that the task has told. */
    private int port() throws Exception {
        Path told = folder.resolve("port");
        Eventually.when(() -> Files.exists(told));
        return Integer.parseInt(Files.readString(told));
    }

    private boolean pipes(Effect.Launch launch) throws IOException {
        Path files = home.resolve("attempts").resolve(launch.job().id().text());
        try (var paths = Files.list(files)) {
            return paths.anyMatch(path -> path.toString().endsWith(".input"));
        }
    }

    private static void type(ExecSession session, String text) throws IOException {
        session.input().write(text.getBytes(UTF_8));
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

    private interface Answer<T> {
        T get() throws Exception;
    }

    private static <T> T within(Answer<T> answer) throws Exception {
        var future =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return answer.get();
                            } catch (Exception problem) {
                                throw new IllegalStateException(problem);
                            }
                        });
        return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private String log(Effect.Launch launch) throws Exception {
        return new String(engine.log(launch.attempt(), MAIN).read(0, 1 << 20), UTF_8);
    }
}
