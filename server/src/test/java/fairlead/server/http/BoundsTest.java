package fairlead.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.job.Limits;
import fairlead.server.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.HashSet;

/** What is just allowed, and what just not. */
final class BoundsTest {
    @TempDir Path folder;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void assertStatus(int status, String target, String body) throws Exception {
        var response = server.post(target, body);
        assertEquals(status, response.statusCode(), response.body());
    }

    @Test
    void aRequestHasANameOfOneTo200Characters() throws Exception {
        String body = "{\"request\":\"%s\",\"jobs\":[{\"command\":\"true\"}]}";
        assertStatus(201, "/v1/jobs", body.formatted("x"));
        assertStatus(201, "/v1/jobs", body.formatted("x".repeat(200)));
        assertStatus(400, "/v1/jobs", body.formatted("x".repeat(201)));
        assertStatus(400, "/v1/jobs", body.formatted(""));
    }

    @Test
    void aPriorityIsBoundedBothWaysHoweverItIsReached() throws Exception {
        String target = "/v1/jobs/" + server.submit("a") + "/priority";
        int most = Limits.PRIORITY_MAX;
        for (int end : new int[] {-most, most}) {
            assertStatus(200, target, "{\"priority\":" + end + "}");
            assertStatus(400, target, "{\"priority\":" + (end + Integer.signum(end)) + "}");
            assertStatus(400, target, "{\"change\":" + Integer.signum(end) + "}");
            assertStatus(200, target, "{\"change\":" + -Integer.signum(end) + "}");
        }
        assertStatus(400, target, "{\"change\":" + Integer.MAX_VALUE + "}");
    }

    @Test
    void aPriorityIsEitherSetOrChanged() throws Exception {
        String target = "/v1/jobs/" + server.submit("a") + "/priority";
        assertStatus(400, target, "{\"priority\":1,\"change\":1}");
        assertStatus(400, target, "{}");
    }

    @Test
    void aJobOfOneTaskHasNoSecond() throws Exception {
        String logs = "/v1/jobs/" + server.submit("a") + "/logs?task=main/";
        assertEquals(200, server.get(logs + 0).statusCode());
        assertEquals(404, server.get(logs + 1).statusCode());
    }

    @Test
    void anEndThatTwoJobsShareNamesNeither() throws Exception {
        String body = "{\"jobs\":[{\"command\":\"true\"}],\"array\":{\"from\":1,\"to\":17}}";
        var ids = server.submit(body, 201).ids();
        // Of seventeen ids two must end with the same digit.
        var ends = new HashSet<String>();
        String shared =
                ids.stream()
                        .map(id -> id.substring(id.length() - 1))
                        .filter(end -> !ends.add(end))
                        .findFirst()
                        .orElseThrow();
        for (String call : new String[] {"", "/why", "/spec"}) {
            var response = server.get("/v1/jobs/" + shared + call);
            assertEquals(409, response.statusCode(), response.body());
        }
    }
}
