package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.WhyBody;
import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

class WhyRouteTest {
    @TempDir Path folder;

    @Test
    void whoStandsBehindAndMayStartSoonerIsNamedWithTheReason() throws Exception {
        try (var server = new TestServer(folder)) {
            for (int seconds : new int[] {300, 3_600}) {
                server.awaitState(submit(server, 1, seconds), "running");
            }
            String large = submit(server, 2, 3_600);
            String small = submit(server, 1, 600);
            String body = server.get("/v1/jobs/" + large + "/why").body();
            assertEquals(
                    small + " stands behind it but may well start sooner: it asks for fewer GPUs",
                    Json.read(WhyBody.class, body).obstacles().getLast());
        }
    }

    @Test
    void whoWasLostAndWaitsAgainSaysWhy() throws Exception {
        var engine = new TestEngine(2);
        try (var server = new TestServer(folder, engine)) {
            String job = submit(server, 1, 300);
            server.awaitState(job, "running");
            engine.drain();
            engine.forget(engine.running(job).orElseThrow());
            server.awaitState(job, "queued");
            String body = server.get("/v1/jobs/" + job + "/why").body();
            assertEquals(
                    "its last attempt was lost: its engine no longer knows it",
                    Json.read(WhyBody.class, body).obstacles().getLast());
        }
    }

    @Test
    void whoCannotStartForAnotherReasonHearsOfNoHolders() throws Exception {
        try (var server = new TestServer(folder)) {
            for (int i = 0; i < 2; i++) server.awaitState(submit(server, 1, 300), "running");
            server.put("/v1/projects/vision?create=true", "{\"quota\":1}");
            String body =
                    "{\"jobs\":[{\"name\":\"a\",\"command\":[\"true\"],\"interactive\":true}]}";
            String job = server.submit(body, 201).ids().getFirst();
            var why = Json.read(WhyBody.class, server.get("/v1/jobs/" + job + "/why").body());
            assertTrue(why.obstacles().getFirst().contains("has no quota"), why.toString());
            assertEquals(List.of(), why.holders());
            assertEquals(List.of(), why.ahead());
        }
    }

    private static String submit(TestServer server, int gpus, int limitSeconds) throws Exception {
        String body =
                "{\"jobs\":[{\"name\":\"a\",\"command\":[\"true\"],\"gpus\":%d,\"time\":\"%ds\"}]}";
        return server.submit(body.formatted(gpus, limitSeconds), 201).ids().getFirst();
    }
}
