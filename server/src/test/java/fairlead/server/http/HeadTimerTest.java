package fairlead.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;

/** The head of a request comes in time or is refused; nothing else has a time here. */
final class HeadTimerTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    /** Longer than any answer takes; a server that waits for ever fails the test then. */
    private static final int PATIENCE_MILLIS = 20_000;

    private WebServer server;

    @BeforeEach
    void start() {
        server =
                WebServer.builder()
                        .host("127.0.0.1")
                        .shutdownHook(false)
                        .featuresDiscoverServices(false)
                        .protocolsDiscoverServices(false)
                        .addConnectionSelector(
                                HttpFront.selector(List.of(), Duration.ofMillis(200)))
                        .routing(routing -> routing.any(HeadTimerTest::echo))
                        .build()
                        .start();
    }

    private static void echo(ServerRequest request, ServerResponse response) {
        boolean hasBody = request.content().hasEntity();
        response.send(hasBody ? request.content().as(String.class) : "");
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    private Socket connect(String words) throws IOException {
        var socket = new Socket("127.0.0.1", server.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        send(socket, words);
        return socket;
    }

    private static void send(Socket socket, String words) throws IOException {
        socket.getOutputStream().write(words.getBytes(ISO_8859_1));
    }

    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }

    private static String until(Socket socket, String end) throws IOException {
        var text = new StringBuilder();
        while (text.indexOf(end) < 0) text.append((char) socket.getInputStream().read());
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"G", "GET /v1/jo", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: lo"})
    void halfAHeadIsRefusedSoon(String half) throws IOException {
        try (var socket = connect(half)) {
            String answer = rest(socket);
            assertTrue(answer.startsWith("HTTP/1.1 408 "), answer);
            assertTrue(answer.contains("the head of the request was not complete"), answer);
        }
        try (var socket = connect(GET + half)) {
            String answers = rest(socket);
            assertTrue(answers.startsWith("HTTP/1.1 200 "), answers);
            assertTrue(answers.contains("HTTP/1.1 408 "), answers);
        }
    }

    /**
     * Goal: neither an idle connection nor a slow body is refused. Method: both have begun before
     * one that is refused, and go on after it.
     */
    @Test
    void whoIsSlowWithTheBodyOrTheNextRequestIsNotRefused() throws IOException {
        String post = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhe";
        try (var idle = connect(GET);
                var silent = connect("");
                var slow = connect(post)) {
            until(idle, "\r\n\r\n");
            try (var late = connect("GET /")) {
                assertTrue(rest(late).startsWith("HTTP/1.1 408 "));
            }
            send(slow, "llo");
            assertTrue(until(slow, "hello").startsWith("HTTP/1.1 200 "));
            for (Socket socket : new Socket[] {idle, silent, slow}) {
                send(socket, GET);
                assertEquals("HTTP/1.1 200 OK\r\n", until(socket, "\n"));
            }
        }
    }
}
