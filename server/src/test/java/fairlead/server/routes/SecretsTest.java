package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.server.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

final class SecretsTest {
    private static final String PLANTED = "planted-7f3a-value";
    private static final String SUBMIT =
            """
            {"jobs":[{"name":"a","command":["true"],"gpus":1,"env":{"KEY":"${secret:%s}"}}]}\
            """;

    @TempDir Path folder;

    @Test
    void aSecretReachesTheTaskAndNothingElse() throws Exception {
        try (var server = new TestServer(folder)) {
            set(server, "/v1/people/ann/secrets/wandb", PLANTED);
            String id = server.submit(SUBMIT.formatted("wandb"), 201).ids().getFirst();
            server.awaitState(id, "running");
            assertEquals(PLANTED, server.engine().environment(id).get("KEY"));
            for (String target :
                    List.of(
                            "/v1/people/ann/secrets",
                            "/v1/jobs",
                            "/v1/jobs/" + id,
                            "/v1/jobs/" + id + "/spec",
                            "/v1/jobs/" + id + "/why",
                            "/v1/snapshot",
                            "/v1/audit",
                            "/describe/a",
                            "/metrics")) {
                String body = server.get(target).body();
                assertFalse(body.contains(PLANTED), target);
            }
            String copy = folder.resolve("copy.db").toString();
            assertEquals(
                    201,
                    server.post("/v1/server/backup", "{\"file\":\"" + copy + "\"}").statusCode());
            grep();
        }
        grep();
    }

    /** Whatever the server has written so far. */
    private void grep() throws Exception {
        try (var files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
                assertFalse(bytes.contains(PLANTED), file.toString());
            }
        }
    }

    @Test
    void theOwnersGoesBeforeTheProjectsAndAnUnknownOneIsRefused() throws Exception {
        try (var server = new TestServer(folder)) {
            set(server, "/v1/projects/default/secrets/key", "the project's");
            assertEquals("the project's", launched(server, "key"));
            set(server, "/v1/people/ann/secrets/key", "ann's");
            assertEquals("ann's", launched(server, "key"));
            var refused = server.post("/v1/jobs", SUBMIT.formatted("other"));
            assertEquals(400, refused.statusCode(), refused.body());
            assertTrue(refused.body().contains("no secret 'other'"), refused.body());
            assertEquals(204, server.delete("/v1/people/ann/secrets/key").statusCode());
            assertEquals(404, server.delete("/v1/people/ann/secrets/key").statusCode());
        }
    }

    private static String launched(TestServer server, String secret) throws Exception {
        String id = server.submit(SUBMIT.formatted(secret), 201).ids().getFirst();
        server.awaitState(id, "running");
        return server.engine().environment(id).get("KEY");
    }

    private static void set(TestServer server, String target, String value) throws Exception {
        var answer = server.put(target, "{\"value\":\"" + value + "\"}");
        assertEquals(204, answer.statusCode(), answer.body());
    }
}
