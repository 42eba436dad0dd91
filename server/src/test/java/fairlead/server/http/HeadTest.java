package fairlead.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.US_ASCII;

import fairlead.server.TestEngine;
import fairlead.server.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.List;

/** HEAD answers as GET does, without a body. */
final class HeadTest {
    /** Longer than any answer takes. */
    private static final int PATIENCE_MILLIS = 10_000;

    @TempDir Path folder;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder, new TestEngine(2));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private int status(String method, String target) throws Exception {
        var nothing = HttpRequest.BodyPublishers.noBody();
        return server.send(server.request(target).method(method, nothing)).statusCode();
    }

    @Test
    void everyRouteOfGetAnswersHeadWithTheSameStatus() throws Exception {
        String id = server.submit("one");
        server.awaitState(id, "running");
        for (Route<?> route : server.front().table()) {
            if (!route.method().equals("GET")) continue;
            // Those two go on until somebody hangs up.
            boolean isEndless = route.path().endsWith("/events");
            String target = route.path().replace("{id}", id).replaceAll("\\{[a-z]+}", "none");
            int expected = isEndless ? 200 : status("GET", target);
            assertEquals(expected, status("HEAD", target), target);
        }
        for (String target :
                List.of(
                        "/api/v1",
                        "/api/v1/jobs",
                        "/rest-server/api/v1/jobs",
                        "/api/v1/jobs/" + id,
                        "/api/v1/jobs/none",
                        "/api/v1/user",
                        "/api/v1/virtual-clusters",
                        "/api/v1/openapi.json"))
            assertEquals(status("GET", target), status("HEAD", target), target);
        assertEquals(405, status("HEAD", "/v1/server/stop"));
        assertEquals(404, status("HEAD", "/v1/nothing"));
    }

    /** A body that was not asked for would be taken for the next answer on the connection. */
    @Test
    void thereIsNoBodyButItsLength() throws Exception {
        String id = server.submit("one");
        server.awaitState(id, "running");
        URI url = URI.create(server.url());
        var requests = new StringBuilder();
        for (String line :
                List.of(
                        "HEAD /v1/me",
                        "HEAD /api/v1/user",
                        "HEAD /api/v1/jobs",
                        "HEAD /v1/none",
                        "HEAD /v1/jobs/" + id + "/logs",
                        "HEAD /v1/events",
                        "GET /healthz"))
            requests.append(line)
                    .append(" HTTP/1.1\r\nHost: " + url.getAuthority())
                    .append("\r\nAuthorization: Bearer " + TestServer.TOKEN + "\r\n\r\n");
        var answer = new StringBuilder();
        try (var socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(requests.toString().getBytes(US_ASCII));
            while (answer.indexOf("ok\n") < 0) answer.append((char) socket.getInputStream().read());
        }
        String[] answers = answer.toString().split("HTTP/1.1 ");
        assertEquals(8, answers.length, answer.toString());
        for (int i = 1; i <= 6; i++) assertTrue(answers[i].endsWith("\r\n\r\n"), answers[i]);
        int length = server.get("/v1/me").body().length();
        assertTrue(answers[1].contains("Content-Length: " + length + "\r\n"), answers[1]);
        for (int i = 5; i <= 6; i++) {
            assertTrue(answers[i].startsWith("200 "), answers[i]);
            assertFalse(answers[i].contains("Content-Length"), "nobody knows it: " + answers[i]);
            assertTrue(answers[i].contains("Transfer-Encoding: chunked\r\n"), answers[i]);
            assertFalse(answers[i].contains("X-Fairlead-Stream"), answers[i]);
        }
    }
}
