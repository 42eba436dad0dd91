package fairlead.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.server.bodies.JsonTree;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program as others start it: a process with flags, files and an exit code. */
final class MainTest {
    @TempDir Path folder;
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void leaveNothingBehind() {
        started.forEach(Process::destroyForcibly);
    }

    private Process start(Path home, String... flags) throws Exception {
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName(),
                                "--home",
                                home.toString()));
        command.addAll(List.of(flags));
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(new File(folder.toFile(), "output"))
                        .start();
        started.add(process);
        return process;
    }

    private Path home() {
        return folder.resolve("home");
    }

    private void awaitReady(Process process) throws Exception {
        Eventually.when(
                "the server is ready",
                () -> {
                    assertTrue(process.isAlive(), () -> output());
                    return Files.exists(home().resolve("server.json"));
                });
    }

    private String output() {
        try {
            return Files.readString(folder.resolve("output"));
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    private int code(Process process) throws Exception {
        assertTrue(process.waitFor(20, TimeUnit.SECONDS), "the process has not ended");
        return process.exitValue();
    }

    private String field(String name) throws Exception {
        String text = Files.readString(home().resolve("server.json"));
        return JsonTree.object(JsonTree.read(text)).get(name).toString();
    }

    private int status(String method, String target) throws Exception {
        var request =
                HttpRequest.newBuilder(URI.create(field("url") + target))
                        .header("Authorization", "Bearer " + field("token"))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build();
        try (var client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    void aSignalStopsItInGoodOrder() throws Exception {
        Process process = start(home(), "--gpus", "1");
        awaitReady(process);
        assertEquals(Long.toString(process.pid()), field("pid"));
        assertEquals(200, status("GET", "/readyz"));
        process.destroy();
        assertEquals(0, code(process), output());
        assertFalse(Files.exists(home().resolve("server.json")));
        String log = Files.readString(home().resolve("logs/server.log"));
        assertEquals(2, log.lines().count(), log);
        log.lines().forEach(JsonTree::read);
        assertTrue(log.contains("stopped"), log);
        String token = Files.readString(home().resolve("token")).strip();
        assertFalse(log.contains(token), "the log holds the token");
        assertEquals("", output());
    }

    @Test
    void aRequestStopsItInGoodOrder() throws Exception {
        Process process = start(home(), "--gpus", "1");
        awaitReady(process);
        assertEquals(202, status("POST", "/v1/server/stop"));
        assertEquals(0, code(process), output());
    }

    @Test
    void aSecondServerOnTheSameHomeRefusesAndNamesTheFirst() throws Exception {
        Process first = start(home(), "--gpus", "1");
        awaitReady(first);
        String url = field("url");
        Process second = start(home(), "--gpus", "1");
        assertEquals(4, code(second));
        assertEquals(1, output().lines().count(), output());
        assertTrue(output().contains("process " + first.pid() + ", " + url), output());
        assertEquals(url, field("url"));
        assertEquals(200, status("GET", "/readyz"));
    }

    @Test
    void aLostJournalIsRefusedUntilANewOneIsMeant() throws Exception {
        Process first = start(home(), "--gpus", "1");
        awaitReady(first);
        // Killed early: what it has committed is in the log beside the file.
        first.destroyForcibly().waitFor();
        Files.delete(home().resolve("server.json"));
        Process second = start(home(), "--gpus", "1");
        awaitReady(second);
        second.destroy();
        assertEquals(0, code(second), output());
        Files.delete(home().resolve("journal.db"));
        Process third = start(home(), "--gpus", "1");
        assertEquals(4, code(third));
        String words = output();
        assertTrue(words.contains("journal.db is missing, but this home was used"), words);
        assertTrue(words.contains("fairlead server backup"), words);
        assertTrue(words.contains("fairlead server start --new-journal"), words);
        assertTrue(Files.notExists(home().resolve("journal.db")));
        Process fourth = start(home(), "--gpus", "1", "--new-journal");
        awaitReady(fourth);
        assertEquals(200, status("GET", "/readyz"));
    }

    @Test
    void aPortInUseIsRefusedInOneLine() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            Process process = start(home(), "--gpus", "1", "--port", port);
            assertEquals(4, code(process));
            assertEquals(1, output().lines().count(), output());
            assertTrue(output().contains("127.0.0.1:" + port), output());
        }
    }

    @Test
    void anUnknownFlagIsRefusedInOneLine() throws Exception {
        Process process = start(home(), "--gpu", "1");
        assertEquals(2, code(process));
        assertEquals(1, output().lines().count(), output());
        assertTrue(output().contains("--gpus"), output());
        assertFalse(Files.exists(home()));
    }
}
