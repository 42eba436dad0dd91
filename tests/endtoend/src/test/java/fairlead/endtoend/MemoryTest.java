package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Eventually;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Goal: a server's memory never ends. Method: one with the least heap gets arrays until it refuses,
 * is killed, and must take all of them up again, show them and abort them.
 */
class MemoryTest {
    /** Far more arrays than such a server can hold. */
    private static final int ARRAYS_MAX = 20;

    @TempDir Path folder;

    @Test
    void aSmallServerRefusesInWordsBeforeItsMemoryEndsAndSurvivesAKill() throws Exception {
        try (var installation =
                Installation.withSettings(folder.resolve("home"), "memory = 64M", "gpus = 1")) {
            installation.run("server", "start").expect(0);
            var caller = new Caller(installation);
            try {
                fillKillAndEmpty(installation, caller);
            } finally {
                stopAll(caller);
            }
        }
    }

    /**
     * Goal: a server whose memory has ended is gone, with the code that says so, and the next
     * command starts another. Method: its own program and options, in a process whose heap is
     * filled up by a thread that dies of nothing.
     */
    @Test
    void aServerWhoseMemoryHasEndedExitsWith70AndTheNextCommandStartsAnother() throws Exception {
        try (var installation =
                Installation.withSettings(folder.resolve("home"), "memory = 64M", "gpus = 1")) {
            Process server = installation.startServer("-Xmx64m", FullHeap.class);
            String job = installation.submit("submit", "--name", "goes-on", "sleep 600");
            var caller = new Caller(installation);
            Eventually.when("it runs", () -> isRunning(caller, job));
            server.getOutputStream().write('\n');
            server.getOutputStream().flush();
            assertTrue(server.waitFor(2, TimeUnit.MINUTES), "half a server is worse than none");
            assertEquals(70, server.exitValue());
            assertTrue(installation.run("list").expect(0).out().contains(job));
            assertTrue(isRunning(new Caller(installation), job), "what runs goes on");
            installation.run("server", "status").expect(0);
        }
    }

    private static boolean isRunning(Caller caller, String job) {
        return caller.get("/v1/jobs/" + job).field("state").equals("running");
    }

    private void fillKillAndEmpty(Installation installation, Caller caller) throws Exception {
        int taken = 0;
        Caller.Reply last = submit(caller);
        String array = last.field("array");
        for (; last.status() == 201 && taken < ARRAYS_MAX; taken++) last = submit(caller);
        assertEquals(429, last.status(), last.body());
        assertTrue(last.body().contains("of the server's memory"), last.body());
        assertTrue(taken > 0, "one array at least");

        installation.killServer();
        installation.run("server", "start").expect(0);
        assertEquals(200, caller.get("/readyz").status());
        var stats = caller.get("/v1/stats");
        assertEquals(2_000 * taken, Integer.parseInt(stats.field("queued")), stats.body());
        Path snapshot = folder.resolve("snapshot.json");
        Files.writeString(snapshot, caller.get("/v1/snapshot").body());
        installation.run("plan", snapshot.toString()).expect(0);

        var aborted = installation.run("abort", array).expect(0);
        assertEquals(2_000, aborted.out().lines().count());
        assertEquals(201, submit(caller).status(), "room for as many again");
    }

    /** Jobs that never fit, so that all of them wait. */
    private static Caller.Reply submit(Caller caller) {
        return caller.call(
                        "POST",
                        "/v1/jobs",
                        "{\"jobs\":[{\"command\":[\"sleep\",\"{i}\"],\"gpus\":8,\"workdir\":\"/tmp\"}],\"array\":{\"from\":0,\"to\":1999}}")
                .orElseThrow();
    }

    private static void stopAll(Caller caller) {
        while (true) {
            String array = caller.get("/v1/jobs?state=active&limit=1").field("array");
            if (array.isEmpty()) return;
            caller.call("POST", "/v1/arrays/" + array + "/abort", "");
        }
    }
}
