package fairlead.engines.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.EngineException;
import fairlead.engine.ExecRequest;
import fairlead.engine.ExecSession;
import fairlead.engine.Sessions;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Commands, ports and notes beside one running task, which all tests share. */
class TaskSessionsTest {
    @TempDir static Path folder;
    private static Attempts attempts;
    private static Attempts.Launched task;

    @BeforeAll
    static void start() throws Exception {
        attempts = Attempts.open(TestHadoop.shared(), folder.resolve("home"));
        task =
                attempts.launch(
                        folder.toString(),
                        "export MINE=yes; echo begun; until [ -e end ]; do sleep 0.05; done; echo"
                                + " last; exit 4");
        Eventually.when("it runs", () -> attempts.log(task).contains("begun"));
    }

    @AfterAll
    static void stop() throws Exception {
        attempts.close();
    }

    private static ExecSession exec(Optional<ExecRequest.Window> window, String script)
            throws EngineException {
        return sessions()
                .exec(
                        new ExecRequest(
                                task.attempt(),
                                task.task(),
                                task.spec(),
                                List.of("sh", "-c", script),
                                window));
    }

    private static Sessions sessions() {
        return attempts.engine().sessions().orElseThrow();
    }

    private static String text(InputStream in) throws Exception {
        return new String(in.readAllBytes(), UTF_8);
    }

    @Test
    void aCommandRunsInTheTasksFolderWithItsVariablesAndTellsItsCode() throws Exception {
        try (var session =
                exec(Optional.empty(), "pwd; echo $FAIRLEAD_TASK; echo no >&2; exit 3")) {
            assertEquals(folder.toRealPath() + "\nmain/0\n", text(session.output()));
            assertEquals("no\n", text(session.errors()));
            assertEquals(3, session.await());
        }
    }

    @Test
    void aCommandReadsWhatIsWrittenUntilItsEnd() throws Exception {
        try (var session = exec(Optional.empty(), "wc -c")) {
            for (int i = 0; i < 100; i++) session.input().write(new byte[1_000]);
            session.input().close();
            assertEquals("100000", text(session.output()).strip());
            assertEquals(0, session.await());
        }
    }

    @Test
    void aTerminalHasItsSizeAndTakesAnother() throws Exception {
        var window = new ExecRequest.Window(33, 77, "xterm");
        try (var session = exec(Optional.of(window), "stty size; echo $TERM; read x; stty size")) {
            var first =
                    new String(session.output().readNBytes("33 77\r\nxterm\r\n".length()), UTF_8);
            assertEquals("33 77\r\nxterm\r\n", first);
            session.resize(20, 50);
            session.input().write('\n');
            assertTrue(text(session.output()).endsWith("20 50\r\n"));
            assertEquals(0, session.await());
        }
    }

    @Test
    void aClosedSessionEndsItsCommand() throws Exception {
        var session = exec(Optional.empty(), "echo $$; exec sleep 600");
        var lines = new BufferedReader(new InputStreamReader(session.output(), UTF_8));
        long pid = Long.parseLong(lines.readLine());
        assertTrue(ProcessHandle.of(pid).isPresent());
        session.close();
        Eventually.when(
                "it is gone", () -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void aPortOfTheTasksNodeIsReached() throws Exception {
        try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var echo =
                    Thread.startVirtualThread(
                            () -> {
                                try (var socket = listener.accept()) {
                                    socket.getInputStream().transferTo(socket.getOutputStream());
                                } catch (IOException _) {
                                    // The test reads too little then.
                                }
                            });
            try (var session =
                    sessions().forward(task.attempt(), task.task(), listener.getLocalPort())) {
                session.input().write("there and back".getBytes(UTF_8));
                session.input().close();
                assertEquals("there and back", text(session.output()));
                assertEquals(0, session.await());
            }
            echo.join();
        }
        int free;
        try (var closed = new ServerSocket(0)) {
            free = closed.getLocalPort();
        }
        var refusal =
                assertThrows(
                        EngineException.class,
                        () -> sessions().forward(task.attempt(), task.task(), free));
        assertTrue(refusal.getMessage().contains("nobody listens"), refusal.getMessage());
    }

    @Test
    void aNoteIsALineOfTheLogAndTheTaskIsFollowedToItsEnd() throws Exception {
        sessions().note(task.attempt(), "a note");
        Eventually.when("the note is there", () -> attempts.log(task).contains("a note\n"));
        var other =
                attempts.launch(
                        folder.toString(),
                        "until [ -e on ]; do sleep 0.05; done; rm on; echo last; exit 4");
        Eventually.when("it runs", () -> attempts.seen(other).running());
        try (var session = sessions().attach(other.attempt(), other.task())) {
            Files.createFile(folder.resolve("on"));
            assertEquals("last\n", text(session.output()));
            assertEquals(4, session.await());
        }
        assertThrows(EngineException.class, () -> sessions().attach(other.attempt(), other.task()));
    }
}
