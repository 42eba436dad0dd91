package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.api.ErrorBody;
import fairlead.api.ExecAnswer;
import fairlead.api.ExecBody;
import fairlead.api.client.Client;
import fairlead.api.client.Endpoint;
import fairlead.api.client.ExecChannel;
import fairlead.api.client.Frame;
import fairlead.api.client.Refused;
import fairlead.server.TestServer;
import fairlead.server.sessions.ExecSessions;
import fairlead.testing.Eventually;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Commands beside tasks as clients have them: who may, when, how many, and how frames pass. */
final class ExecTest {
    private static final ExecBody PLAIN = new ExecBody(List.of("cat"), null, null, null, null);
    private static final ExecBody WINDOW = new ExecBody(List.of("sh"), "main/0", "xterm", 30, 90);

    /** Far longer than the way of a frame through the server and back. */
    private static final Duration STILL = Duration.ofMillis(500);

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

    private String running() throws Exception {
        String id = server.submit("a");
        server.awaitState(id, "running");
        return id;
    }

    private Client client() {
        return client(TestServer.TOKEN);
    }

    private Client client(String token) {
        return new Client(() -> new Endpoint(URI.create(server.url()), token));
    }

    private static Frame input(byte[] bytes) {
        return new Frame(Frame.Kind.INPUT, bytes);
    }

    /** The next frame that is not a sign of life. */
    private static Frame next(ExecChannel channel) throws IOException {
        Frame frame = channel.next().orElseThrow();
        while (frame.kind() == Frame.Kind.BEAT) frame = channel.next().orElseThrow();
        return frame;
    }

    @Test
    void inputAndOutputPassAsTheyAreAndTheExitCodeComesLast() throws Exception {
        byte[] bytes = new byte[20 * Frame.PAYLOAD_BYTES_MAX];
        new Random(1).nextBytes(bytes);
        try (var client = client();
                var channel = client.exec(running(), PLAIN)) {
            Thread.ofVirtual().start(() -> write(channel, bytes));
            var read = new ByteArrayOutputStream();
            Frame frame = next(channel);
            for (; frame.kind() == Frame.Kind.OUTPUT; frame = next(channel))
                read.writeBytes(frame.payload());
            assertArrayEquals(bytes, read.toByteArray());
            assertEquals(Frame.Kind.EXIT, frame.kind());
            assertEquals(7, frame.number(0));
            assertTrue(channel.next().isEmpty());
        }
    }

    private static void write(ExecChannel channel, byte[] bytes) {
        try {
            for (int at = 0; at < bytes.length; at += Frame.PAYLOAD_BYTES_MAX) {
                int end = Math.min(bytes.length, at + Frame.PAYLOAD_BYTES_MAX);
                channel.send(input(Arrays.copyOfRange(bytes, at, end)));
            }
            channel.send(input(new byte[0]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aResizeReachesTheTerminalAndASilentSessionBeats() throws Exception {
        try (var client = client();
                var channel = client.exec(running(), WINDOW)) {
            assertEquals(Frame.Kind.BEAT, channel.next().orElseThrow().kind());
            channel.send(Frame.resize(40, 120));
            assertEquals("40x120", next(channel).text());
        }
    }

    @Test
    void aReaderThatIsSlowHoldsTheCommandBackInsteadOfFillingTheServer() throws Exception {
        Thread endless;
        try (var client = client();
                var channel = client.exec(running(), PLAIN)) {
            endless = Thread.ofVirtual().start(() -> writeForEver(channel));
            var session = server.engine().opened().getFirst();
            // What sockets hold is a few megabytes; after that nothing moves any more.
            var last = new AtomicLong();
            Eventually.when(
                    "it stands still",
                    () -> {
                        LockSupport.parkNanos(STILL.toNanos());
                        long now = session.taken();
                        return now > 0 && last.getAndSet(now) == now;
                    });
            assertTrue(session.taken() < 64L << 20, "took " + session.taken());
        }
        endless.join();
        Eventually.when("it ends", () -> server.engine().opened().getFirst().isClosed());
    }

    private static void writeForEver(ExecChannel channel) {
        try {
            while (true) channel.send(input(new byte[Frame.PAYLOAD_BYTES_MAX]));
        } catch (IOException _) {
            return;
        }
    }

    @Test
    void aClientThatGoesAwayEndsItsCommand() throws Exception {
        try (var client = client();
                var channel = client.exec(running(), PLAIN)) {
            channel.send(input("x".getBytes(UTF_8)));
            assertEquals("x", next(channel).text());
        }
        Eventually.when("it ends", () -> server.engine().opened().getFirst().isClosed());
    }

    @Test
    void aPeerThatSpeaksNonsenseIsDropped() throws Exception {
        try (var client = client();
                var channel = client.exec(running(), PLAIN)) {
            channel.send(Frame.exit(0));
            Eventually.when("it ends", () -> server.engine().opened().getFirst().isClosed());
        }
    }

    @Test
    void aServerThatStopsSaysSoAndEndsTheCommand() throws Exception {
        try (var client = client();
                var channel = client.exec(running(), PLAIN)) {
            var stopping = Thread.ofVirtual().start(server::close);
            Frame frame = next(channel);
            assertEquals("the server is stopping", frame.text());
            stopping.join();
            assertTrue(server.engine().opened().getFirst().isClosed());
        }
    }

    @Test
    void aTokenThatIsTakenAwayEndsTheCommand() throws Exception {
        String token = server.person("bob", "{\"admin\":true}");
        try (var client = client(token);
                var channel = client.exec(running(), PLAIN)) {
            server.delete("/v1/people/bob");
            assertEquals("the token works no more", next(channel).text());
        }
    }

    @Test
    void onlyTheOwnerAndAdminsMay() throws Exception {
        String id = running();
        String bob = server.person("bob", "{}");
        expect(
                server.call(bob, "POST", "/v1/jobs/" + id + "/exec", "{\"command\":\"ls\"}"),
                403,
                "only ann and admins may run commands in " + id + "; you are bob");
        String token = server.engine().environment(id).get("FAIRLEAD_JOB_TOKEN");
        expect(
                server.call(token, "POST", "/v1/jobs/" + id + "/exec", "{\"command\":\"ls\"}"),
                403,
                "the token of a job may only report on that job");
        assertEquals(List.of(), server.engine().opened());
    }

    @Test
    void nobodyElseCanConnectToASessionAndNobodyTwice() throws Exception {
        String id = running();
        String bob = server.person("bob", "{\"admin\":true}");
        var answer = server.post("/v1/jobs/" + id + "/exec", "{\"command\":\"ls\"}");
        String target = "/v1/exec/" + Json.read(ExecAnswer.class, answer.body()).session();
        String none =
                "no such session of yours: it is connected already, or nobody came within 30 s";
        expect(server.call(bob, "GET", target, ""), 404, none);
        expect(
                server.get(target),
                400,
                "this call needs the headers 'Connection: Upgrade' and 'Upgrade: fairlead-exec'");
        expect(server.get("/v1/exec/unknown"), 404, none);
    }

    @Test
    void aJobThatDoesNotRunAnswersWithItsState() throws Exception {
        String first = server.submit("a");
        String second = server.submit("b");
        server.awaitState(first, "running");
        server.awaitState(second, "running");
        String waiting = server.submit("c");
        server.awaitState(waiting, "queued");
        expect(
                exec(waiting, "{\"command\":\"ls\"}"),
                409,
                waiting + " is queued; only a running job takes commands");
        server.post("/v1/jobs/" + first + "/abort", "");
        server.awaitState(first, "cancelled");
        expect(
                exec(first, "{\"command\":\"ls\"}"),
                409,
                first + " is aborted; only a running job takes commands");
    }

    @Test
    void badWordsAreNamed() throws Exception {
        String id = running();
        expect(exec(id, "{}"), 400, "command: is missing");
        expect(exec(id, "{\"command\":[\"a\\u0000b\"]}"), 400, "command: has a zero byte in it");
        String body = "{\"command\":\"ls\",\"task\":\"main/7\"}";
        expect(exec(id, body), 404, id + " has no task main/7");
        body = "{\"command\":\"ls\",\"rows\":24,\"columns\":80}";
        expect(exec(id, body), 400, "terminal: rows and columns need its kind");
        body = "{\"command\":\"ls\",\"terminal\":\"xterm\",\"rows\":0,\"columns\":80}";
        expect(exec(id, body), 400, "rows: must be a whole number from 1 to 10000");
        body = "{\"command\":\"ls\",\"terminal\":\"a b\",\"rows\":1,\"columns\":80}";
        expect(exec(id, body), 400, "terminal: must be a kind such as xterm, but is 'a b'");
        assertEquals(List.of(), server.engine().opened());
    }

    @Test
    void aJobTakesOnlySoManyCommandsAtOnce() throws Exception {
        String id = running();
        var channels = new ArrayList<ExecChannel>();
        try (var client = client()) {
            for (int i = 0; i < ExecSessions.Kind.COMMAND.mostOfJob; i++)
                channels.add(client.exec(id, PLAIN));
            var refused = assertThrows(Refused.class, () -> client.exec(id, PLAIN));
            assertEquals(
                    "8 commands run beside " + id + " already; wait until one has ended",
                    refused.getMessage());
            channels.getFirst().close();
            Eventually.when("there is room again", () -> isTaken(client, id, channels));
        } finally {
            channels.forEach(ExecChannel::close);
        }
    }

    private static boolean isTaken(Client client, String id, List<ExecChannel> channels)
            throws IOException {
        try {
            channels.add(client.exec(id, PLAIN));
            return true;
        } catch (Refused _) {
            return false;
        }
    }

    private HttpResponse<String> exec(String id, String body) throws Exception {
        return server.post("/v1/jobs/" + id + "/exec", body);
    }

    private static void expect(HttpResponse<String> response, int status, String message) {
        assertEquals(message, Json.read(ErrorBody.class, response.body()).message());
        assertEquals(status, response.statusCode());
    }
}
