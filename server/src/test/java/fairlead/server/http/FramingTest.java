package fairlead.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.JobPage;
import fairlead.server.RawClient;
import fairlead.server.TestServer;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Requests that leave in doubt where they end: each is answered with 400, its connection is closed,
 * and neither it nor what is hidden behind it reaches a route. In the tables, {@code |} is the end
 * of a line.
 */
final class FramingTest {
    private static final String JOB = "{\"jobs\":[{\"command\":\"true\"}]}";
    private static final String TOKEN = "Authorization: Bearer " + TestServer.TOKEN + "|";

    /** What a request would hide: it submits a job. */
    private static final String HIDDEN =
            "POST /v1/jobs HTTP/1.1|Host: localhost|%sContent-Length: %d||%s"
                    .formatted(TOKEN, JOB.length(), JOB);

    @TempDir static Path folder;
    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new TestServer(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String exchange(String request) throws IOException {
        return RawClient.exchange(server, request.replace("|", "\r\n"));
    }

    private static int ask(String request) throws IOException {
        return RawClient.ask(server, request.replace("|", "\r\n"));
    }

    private static int jobs() throws Exception {
        return Json.read(JobPage.class, server.get("/v1/jobs").body()).jobs().size();
    }

    private static void refusesAndCloses(String request) throws Exception {
        int before = jobs();
        String answer = exchange(request + HIDDEN);
        assertTrue(answer.startsWith("HTTP/1.1 400 "), request + ": " + answer);
        assertEquals(answer.indexOf("HTTP/1.1"), answer.lastIndexOf("HTTP/1.1"), answer);
        assertFalse(answer.contains("null"), answer);
        assertEquals(before, jobs(), request);
        assertFalse(server.isStopAsked(), request);
    }

    /** The headers in doubt, then what would be the body. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 2|Transfer-Encoding: chunked||0||",
                "Transfer-Encoding: chunked|Content-Length: 2||0||",
                "Content-Length: 2|Content-Length: 3||{}",
                "Content-Length: 2|Content-Length: 2||{}",
                "Content-Length: 2, 2||{}",
                "Content-Length: 2,3||{}",
                "Content-Length: +2||{}",
                "Content-Length: -2||{}",
                "Content-Length: 0x2||{}",
                "Content-Length: 2 2||{}",
                "Content-Length: 2;||{}",
                "Content-Length:||{}",
                "Content-Length: 99999999999999999999||{}",
                "Content-Length: two||{}",
                "Content-Length: 2|Transfer-Encoding: Chunked||0||",
                "Transfer-Encoding: Chunked, chunked||0||",
                "Transfer-Encoding: chun\u00e2\u0084\u00aaed||0||",
                "Transfer-Encoding: xchunked||0||",
                "Transfer-Encoding: gzip, chunked||0||",
                "Transfer-Encoding: gzip||0||",
                "Transfer-Encoding: chunked, chunked||0||",
                "Transfer-Encoding: chunked|Transfer-Encoding: chunked||0||",
                "Transfer-Encoding: chunked|Transfer-Encoding: identity||0||",
                "Transfer-Encoding: identity||",
                "Transfer-Encoding: chunked;q=1||0||",
                "Transfer-Encoding: \"chunked\"||0||",
                "Transfer-Encoding: \u000bchunked||0||",
                "Transfer-Encoding:||0||",
                "Transfer-Encoding : chunked||0||",
                "Content-Length : 2||{}",
                "X: a| Content-Length: 2||{}",
                "X: a|\tfolded||",
                "Content-Length: 2\nX: a||{}",
                "X: a\u0000b||",
                "no colon||",
            })
    void headersInDoubt(String rest) throws Exception {
        String host = "Host: localhost|" + TOKEN;
        refusesAndCloses("POST /v1/jobs HTTP/1.1|" + host + rest);
        refusesAndCloses("GET /v1/jobs HTTP/1.1|" + host + rest);
        refusesAndCloses("POST /api/v1/jobs HTTP/1.1|" + host + rest);
        refusesAndCloses("POST /nowhere HTTP/1.1|" + host + rest);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /healthz HTTP/1.1||",
                "GET /healthz HTTP/1.1|Host: localhost|Host: evil.example||",
                "GET /healthz HTTP/1.1|Host:||",
            })
    void aRequestNamesOneHost(String request) throws Exception {
        refusesAndCloses(request);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zz|{}|0||",
                "zz|abc|0||",
                "2|abcd|0||",
                "0x2|{}|0||",
                "-1|{}|0||",
                "+2|{}|0||",
                " 2|{}|0||",
                "2 |{}|0||",
                "|{}|0||",
                "2;name=value|{}|0||",
                "ffffffffffffffff|{}|0||",
                "fffffffff|{}|0||",
                "80000000|{}|0||",
                "2|{}xx0||",
                "2|{}0||",
                "2\n{}|0||",
                "2|{}|0|X: a||",
            })
    void aBodyInBadChunks(String body) throws Exception {
        String head = "Host: localhost|" + TOKEN + "Transfer-Encoding: chunked||";
        refusesAndCloses("POST /v1/jobs HTTP/1.1|" + head + body);
        // One that reads no body.
        refusesAndCloses("POST /v1/server/stop HTTP/1.1|" + head + body);
        refusesAndCloses("GET /v1/jobs HTTP/1.1|" + head + body);
        refusesAndCloses("POST /api/v1/jobs HTTP/1.1|" + head + body);
        refusesAndCloses("PUT /api/v1/user HTTP/1.1|" + head + body);
        refusesAndCloses("GET /api/v1/virtual-clusters HTTP/1.1|" + head + body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked", "Chunked", "CHUNKED"})
    void chunksInOrderAreABody(String name) throws Exception {
        String head = "Host: localhost|" + TOKEN + "Transfer-Encoding: " + name + "||";
        String half = JOB.substring(0, 10);
        String rest = JOB.substring(10);
        String chunks = "%x|%s|%X|%s|0||".formatted(half.length(), half, rest.length(), rest);
        assertEquals(200, ask("POST /v1/jobs?dryRun=true HTTP/1.1|" + head + chunks));
    }

    /** Nobody is left to be told, and it is no bug of the server. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /v1/jobs HTTP/1.1|%sContent-Length: 99||{",
                "POST /v1/jobs HTTP/1.1|%sTransfer-Encoding: chunked||9|{",
                "PUT /api/v1/user HTTP/1.1|%sContent-Length: 99||{",
            })
    void aClientThatHangsUpInItsBodyIsNoBug(String request) throws Exception {
        String text = request.formatted("Host: localhost|" + TOKEN).replace("|", "\r\n");
        var address = URI.create(server.url());
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            assertEquals("", new String(socket.getInputStream().readAllBytes()));
        }
    }

    /** Whoever says so reads until the end, and what follows is nobody's request. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /healthz",
                "GET /v1/jobs",
                "GET /v1/openapi.json",
                "GET /metrics",
                "GET /nowhere",
                "GET /v1/jobs/nobody",
                "POST /v1/people/bob/token",
                "GET /api/v1/jobs",
                "GET /api/v1/nowhere",
                "GET /queue",
            })
    void aRequestThatClosesIsTheLast(String request) throws Exception {
        for (String word : List.of("close", "Close", "foo, close")) {
            int before = jobs();
            String length = request.startsWith("POST") ? "Content-Length: 0|" : "";
            String head = " HTTP/1.1|Host: localhost|" + TOKEN + length;
            String answer = exchange(request + head + "Connection: " + word + "||" + HIDDEN);
            assertEquals(0, answer.lastIndexOf("HTTP/1.1 "), answer);
            assertTrue(
                    answer.toLowerCase(Locale.ROOT).contains("\r\nconnection: close\r\n"), answer);
            assertEquals(before, jobs(), request);
        }
    }

    @Test
    void theOldVersionIsRefusedAndTheNewOneIsNotOffered() throws Exception {
        assertEquals(505, ask("GET /healthz HTTP/1.0||"));
        int old = ask("POST /v1/jobs HTTP/1.0|" + TOKEN + "Transfer-Encoding: chunked||0||");
        assertTrue(old >= 400 && old < 500 || old == 505, "" + old);
        int upgraded =
                ask(
                        "GET /healthz HTTP/1.1|Host: localhost|Connection: Upgrade, HTTP2-Settings|"
                                + "Upgrade: h2c|HTTP2-Settings: AAMAAABkAAQAAP__||");
        assertEquals(200, upgraded);
    }
}
