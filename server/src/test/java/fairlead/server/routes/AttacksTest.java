package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.server.TestServer;
import fairlead.server.http.Route;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.List;

/** What somebody tries who means harm, by calls that look like ours. */
final class AttacksTest {
    private static final List<String> WAYS_OUT =
            List.of("..%2f..%2f..%2fetc%2fpasswd", "%2e%2e", "%00", "a%2fb", "%25%32%65");

    @TempDir Path folder;

    @Test
    void noPathParameterLeadsOutOfItsPlace() throws Exception {
        try (var server = new TestServer(folder)) {
            for (Route<?> route : server.front().table()) {
                if (!route.path().contains("{")) continue;
                for (String way : WAYS_OUT) {
                    String target = route.path().replaceAll("\\{\\w+}", way);
                    String method = route.method().equals("GET") ? "HEAD" : route.method();
                    var answer = server.call(TestServer.TOKEN, method, target, "");
                    String call = method + " " + target + ": " + answer.statusCode();
                    boolean isRefused = answer.statusCode() >= 400 && answer.statusCode() < 500;
                    // A list of what nobody has is empty.
                    assertTrue(isRefused || method.equals("HEAD"), call);
                    assertTrue(answer.statusCode() < 500, call);
                    assertFalse(answer.body().contains("root:"), call);
                }
            }
        }
    }

    @Test
    void aTokenInAnAddressIsNotRead() throws Exception {
        try (var server = new TestServer(folder)) {
            for (String name : List.of("token", "access_token", "authorization")) {
                var request =
                        HttpRequest.newBuilder(
                                URI.create(
                                        server.url()
                                                + "/v1/jobs?"
                                                + name
                                                + "="
                                                + TestServer.TOKEN));
                assertEquals(401, server.send(request).statusCode(), name);
                assertEquals(
                        400, server.get("/v1/jobs?" + name + "=" + TestServer.TOKEN).statusCode());
            }
        }
    }

    @Test
    void aJobsTokenEndsWithTheJobAndSpeaksForNoOther() throws Exception {
        try (var server = new TestServer(folder)) {
            String job = server.submit("a");
            String other = server.submit("b");
            server.awaitState(job, "running");
            String token = server.engine().environment(job).get("FAIRLEAD_JOB_TOKEN");
            String point = "{\"points\":[{\"step\":1,\"values\":{\"loss\":0.5}}]}";
            assertEquals(204, metrics(server, token, job, point));
            assertEquals(403, metrics(server, token, other, point));
            for (String target : List.of("/v1/jobs", "/v1/me", "/v1/jobs/" + job, "/v1/audit"))
                assertEquals(403, server.call(token, "GET", target, "").statusCode(), target);
            assertEquals(
                    403, server.call(token, "POST", "/v1/jobs/" + job + "/abort", "").statusCode());
            server.engine().end(job, 0);
            server.awaitState(job, "succeeded");
            assertEquals(410, metrics(server, token, job, point));
        }
    }

    private static int metrics(TestServer server, String token, String job, String point)
            throws Exception {
        return server.call(token, "POST", "/v1/jobs/" + job + "/metrics", point).statusCode();
    }
}
