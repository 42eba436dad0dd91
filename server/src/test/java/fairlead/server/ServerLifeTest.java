package fairlead.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;
import fairlead.testing.DamagedPages;
import fairlead.testing.Eventually;
import fairlead.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Stops, restarts and bad days. */
final class ServerLifeTest {
    private static final String JOB = "{\"jobs\":[{\"command\":[\"true\"],\"gpus\":1}]}";

    @TempDir Path folder;

    @Test
    void aJournalThatCannotBeWrittenRefusesAndThenRecovers() throws Exception {
        try (var server = new TestServer(folder)) {
            String running = server.submit("a");
            server.awaitState(running, "running");
            server.journal().fail("the disk is full");
            var refused = server.post("/v1/jobs", JOB);
            assertEquals(503, refused.statusCode());
            var error = Json.read(ErrorBody.class, refused.body());
            assertEquals("unavailable", error.code());
            assertEquals("the disk is full", error.message());
            // The refused one hears of it a moment before everybody else.
            Eventually.when("not ready", () -> server.get("/readyz").statusCode() == 503);
            assertEquals(200, server.get("/healthz").statusCode());
            // What happens outside meanwhile is not lost: it is seen again.
            server.engine().end(running, 0);
            assertEquals("running", server.state(running));
            server.journal().fail(null);
            server.awaitState(running, "succeeded");
            Eventually.when("ready again", () -> server.get("/readyz").statusCode() == 200);
            assertEquals(201, server.post("/v1/jobs", JOB).statusCode());
            assertTrue(server.metric("fairlead_journal_failures_total") > 0);
        }
    }

    @Test
    void aDamagedJournalTakesNoNewJobsAndWhatRunsGoesOn() throws Exception {
        var engine = new TestEngine(2);
        String running;
        try (var server = new TestServer(folder, engine, Settings.DEFAULT)) {
            running = server.submit("a");
            server.awaitState(running, "running");
        }
        DamagedPages.zero(folder.resolve("journal.db"), "job_finished_array");
        try (var server = new TestServer(folder, engine, Settings.DEFAULT)) {
            Eventually.when("not ready", () -> server.get("/readyz").statusCode() == 503);
            String words = server.get("/readyz").body();
            assertTrue(words.contains("is damaged"), words);
            var refused = server.post("/v1/jobs", JOB);
            assertEquals(503, refused.statusCode());
            assertTrue(refused.body().contains("fairlead server backup"), refused.body());
            assertTrue(server.get("/v1/server").body().contains("damaged: "));
            assertEquals(1, server.metric("fairlead_journal_damaged"));
            engine.end(running, 0);
            server.awaitState(running, "succeeded");
        }
    }

    @Test
    void aStopEndsStreamsAndTheNextServerTakesUpWhatRuns() throws Exception {
        var engine = new TestEngine(2);
        String id;
        var first = new TestServer(folder, engine, Settings.DEFAULT);
        try (first) {
            id = first.submit("a");
            first.awaitState(id, "running");
            var stream = first.stream("/v1/jobs/" + id + "/logs?follow=true");
            var events = first.stream("/v1/events");
            assertEquals(202, first.post("/v1/server/stop", "").statusCode());
            Eventually.when("the stop is passed on", first::isStopAsked);
            long begun = System.nanoTime();
            first.server().stop();
            assertTrue(System.nanoTime() - begun < Duration.ofSeconds(4).toNanos());
            assertTrue(stream.rest().isEmpty(), "a stream that is cut has no end event");
            assertTrue(events.rest().isEmpty());
        }
        try (var second = new TestServer(folder, engine, Settings.DEFAULT)) {
            assertEquals("running", second.state(id));
            engine.end(id, 0);
            second.awaitState(id, "succeeded");
        }
    }

    @Test
    void finishedJobsAreDeletedWithTheirLogsWhenTheyAreOldEnough() throws Exception {
        var engine = new TestEngine(1);
        String id;
        try (var server = new TestServer(folder, engine, Settings.DEFAULT)) {
            id = server.submit("a");
            server.awaitState(id, "running");
            engine.write(id, 1, "main/0", new byte[] {'x'});
            engine.end(id, 0);
            server.awaitState(id, "succeeded");
        }
        assertTrue(engine.hasLogs(id));
        var forgetful = Settings.of(Map.of("keep", "0s"));
        try (var server = new TestServer(folder, engine, forgetful)) {
            Eventually.when(
                    id + " is gone", () -> server.get("/v1/jobs/" + id).statusCode() == 404);
            assertFalse(engine.hasLogs(id));
        }
    }

    @Test
    void aBugIsToldAndMakesTheServerUnready() throws Exception {
        try (var server = new TestServer(folder)) {
            var bug = new IllegalStateException("a bug of the engine");
            server.engine().breakLaunches(bug);
            server.submit("a");
            Eventually.when("unready", () -> server.get("/readyz").statusCode() == 503);
            assertTrue(server.get("/readyz").body().contains("bug"));
            assertEquals(List.of(bug), server.takeBugs());
        }
    }

    @Test
    void aServerIsNotReadyOnceTheThreadOfAnEngineHasDied() throws Exception {
        try (var server = new TestServer(folder)) {
            assertEquals(200, server.get("/readyz").statusCode());
            var death = new OutOfMemoryError("as if");
            server.engine().breakLooks(death);
            Eventually.when("unready", () -> server.get("/readyz").statusCode() == 503);
            assertTrue(
                    server.get("/readyz")
                            .body()
                            .contains("what looks at the cluster local has died"));
            assertEquals(List.of(death), server.takeBugs());
        }
    }

    @Test
    void aTimeLimitEndsAJobWithoutAnyRequest() throws Exception {
        try (var server = new TestServer(folder)) {
            String id =
                    server.submit(
                                    """
                                    {"jobs":[{"command":["sleep","9"],"gpus":1,"time":"50ms"}]}\
                                    """,
                                    201)
                            .ids()
                            .getFirst();
            server.awaitState(id, "failed");
            assertTrue(server.get("/v1/jobs/" + id + "/why").body().contains("time limit"));
        }
    }
}
