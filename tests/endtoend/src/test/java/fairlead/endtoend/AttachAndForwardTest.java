package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A user joins a running task, and reaches a web server inside one. */
class AttachAndForwardTest {
    @TempDir static Path shared;
    private static Installation fairlead;
    private static Path work;

    @TempDir Path folder;

    @BeforeAll
    static void start() throws IOException {
        fairlead = Installation.withSettings(shared.resolve("home"));
        work = Files.createDirectories(shared.resolve("work"));
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    private static String running(String... words) {
        String job = fairlead.run(work, Map.of(), words).expect(0).out().strip();
        new Caller(fairlead).awaitState(job, "running");
        return job;
    }

    @Test
    void aTaskReadsWhatIsTypedAndItsExitCodeComesBack() {
        String job =
                running(
                        "-n",
                        "0",
                        "submit",
                        "--stdin",
                        "read first; echo got $first; read second; echo and $second; exit 3");
        // The end of the first one's input, and the first one's own, are none for the task.
        String seen = folder.resolve("seen").toString();
        fairlead.type(
                        "echo one | fairlead attach %s >%s & until grep 'got one' %s; do sleep 0.05; done; kill $!"
                                .formatted(job, seen, seen))
                .expect(0);
        var result = fairlead.type("echo two | fairlead attach " + job).expect(3);
        assertEquals("and two\n", result.out());
        assertEquals(
                "fairlead: attached to " + job + "; Ctrl-C detaches, and the task goes on\n",
                result.err());
    }

    @Test
    void ctrlCAtATerminalDetachesAndLeavesTheTaskAlone() throws IOException {
        String job =
                running("-n", "0", "submit", "while :; do echo alive; read none; sleep 0.2; done");
        Path script = folder.resolve("terminal.py");
        try (var in = AttachAndForwardTest.class.getResourceAsStream("/terminal.py")) {
            Files.write(script, in.readAllBytes());
        }
        Path typed = Files.writeString(folder.resolve("typed"), "await alive\ntype \\x03\n");
        var result = fairlead.type("python3 " + script + " fairlead attach " + job + " <" + typed);
        result.expect(130);
        assertTrue(fairlead.run("list", "--state", "running").out().contains(job));
    }

    @Test
    void aWebServerInsideAJobIsReachedByManyAtOnce() throws Exception {
        byte[] page = new byte[3 << 20];
        new Random(1).nextBytes(page);
        Files.write(work.resolve("page"), page);
        int inside = freePort();
        String job =
                running(
                        "-n",
                        "0",
                        "submit",
                        "until [ -e go ]; do sleep 0.05; done; exec python3 -m http.server --bind"
                                + " 127.0.0.1 "
                                + inside);
        Path output = folder.resolve("output");
        Process forward = fairlead.start(output, "port-forward", job, ":" + inside);
        try {
            Eventually.when("the listener", () -> text(output).endsWith("-> " + inside + "\n"));
            String said = text(output).strip();
            int here = Integer.parseInt(said.replaceAll(".*127.0.0.1:(\\d+) -> .*", "$1"));
            assertEquals("Forwarding from 127.0.0.1:" + here + " -> " + inside, said);
            // Nobody listens yet: this connection fails, and the command goes on.
            assertThrows(UncheckedIOException.class, () -> fetched(here));
            String complaint =
                    "fairlead: a connection to port %d failed: no process of task main/0 of %s listens on port %d"
                            .formatted(inside, job, inside);
            Eventually.when("the words", () -> text(output).contains(complaint));
            Files.createFile(work.resolve("go"));
            Eventually.when("the web server", () -> answers(here));
            var pages = new ArrayList<CompletableFuture<byte[]>>();
            for (int i = 0; i < 12; i++)
                pages.add(CompletableFuture.supplyAsync(() -> fetched(here)));
            for (var each : pages)
                assertTrue(Arrays.equals(page, each.get(60, TimeUnit.SECONDS)), "a page differs");
            assertEquals(
                    0,
                    new ProcessBuilder("kill", "-INT", String.valueOf(forward.pid()))
                            .start()
                            .waitFor());
            assertTrue(forward.waitFor(30, TimeUnit.SECONDS));
            assertEquals(0, forward.exitValue());
        } finally {
            forward.destroyForcibly();
        }
    }

    private static boolean answers(int port) {
        try {
            return fetched(port).length > 0;
        } catch (UncheckedIOException _) {
            return false;
        }
    }

    private static byte[] fetched(int port) {
        try (var in = URI.create("http://127.0.0.1:" + port + "/page").toURL().openStream()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (var probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
