package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.api.AttachBody;
import fairlead.api.ErrorBody;
import fairlead.api.ExecBody;
import fairlead.api.ForwardBody;
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

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Ways to tasks and to their ports: who may, when, how many, and when nobody is left. */
final class AttachAndForwardTest {
    private static final AttachBody FIRST = new AttachBody(null);
    private static final ForwardBody NOTEBOOK = new ForwardBody("main/0", 8888);
    private static final Duration SILENCE = Duration.ofSeconds(1);

    @TempDir Path folder;
    @TempDir Path other;
    private TestServer server;
    private String job;

    @BeforeEach
    void aJobRuns() throws Exception {
        server = new TestServer(folder);
        job = running(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String running(TestServer server) throws Exception {
        String id = server.submit("a");
        server.awaitState(id, "running");
        return id;
    }

    private static Client client(TestServer server) {
        return new Client(() -> new Endpoint(URI.create(server.url()), TestServer.TOKEN));
    }

    private static Frame input(String text) {
        return new Frame(Frame.Kind.INPUT, text.getBytes(UTF_8));
    }

    /** The next frame that is not a sign of life. */
    private static Frame next(ExecChannel channel) throws IOException {
        Frame frame = channel.next().orElseThrow();
        while (frame.kind() == Frame.Kind.BEAT) frame = channel.next().orElseThrow();
        return frame;
    }

    @Test
    void whatPassesThroughAPortComesBackAndBothSidesEndInOrder() throws Exception {
        try (var client = client(server);
                var channel = client.forward(job, NOTEBOOK)) {
            assertTrue(channel.readsInput());
            channel.send(input("GET / HTTP/1.0"));
            assertEquals("GET / HTTP/1.0", next(channel).text());
            channel.send(input(""));
            Frame end = next(channel);
            assertEquals(Frame.Kind.OUTPUT, end.kind());
            assertEquals(0, end.payload().length);
            assertEquals(Frame.Kind.EXIT, next(channel).kind());
        }
    }

    @Test
    void whoeverAttachesToATaskWithoutStandardInputIsToldSo() throws Exception {
        try (var client = client(server);
                var channel = client.attach(job, FIRST)) {
            assertFalse(channel.readsInput());
        }
        Eventually.when("it ends", () -> server.engine().opened().getFirst().isClosed());
        assertEquals("running", server.state(job));
    }

    @Test
    void onlyTheOwnerAndAdminsMay() throws Exception {
        String bob = server.person("bob", "{}");
        expect(
                server.call(bob, "POST", path("attach"), ""),
                403,
                "only ann and admins may attach to " + job + "; you are bob");
        expect(
                server.call(bob, "POST", path("forward"), "{\"port\":80}"),
                403,
                "only ann and admins may reach the ports of " + job + "; you are bob");
        assertEquals(List.of(), server.engine().opened());
    }

    @Test
    void badWordsAreNamed() throws Exception {
        String range = "port: must be a whole number from 1 to 65535";
        expect(server.post(path("forward"), "{}"), 400, range);
        expect(server.post(path("forward"), "{\"port\":70000}"), 400, range);
        String body = "{\"task\":\"main/7\",\"port\":80}";
        expect(server.post(path("forward"), body), 404, job + " has no task main/7");
        body = "{\"task\":\"main/7\"}";
        expect(server.post(path("attach"), body), 404, job + " has no task main/7");
        expect(
                server.post(path("forward"), "{\"port\":9}"),
                409,
                "nobody listens on port 9 of task main/0");
    }

    @Test
    void aJobThatDoesNotRunAnswersWithItsState() throws Exception {
        server.post(path("abort"), "");
        server.awaitState(job, "cancelled");
        expect(
                server.post(path("attach"), ""),
                409,
                job + " is aborted; only a running job can be attached to");
        expect(
                server.post(path("forward"), "{\"port\":80}"),
                409,
                job + " is aborted; only a running job has ports to reach");
    }

    @Test
    void connectionsToPortsHaveABoundOfTheirOwn() throws Exception {
        var channels = new ArrayList<ExecChannel>();
        try (var client = client(server)) {
            for (int i = 0; i < ExecSessions.Kind.FORWARD.mostOfJob; i++)
                channels.add(client.forward(job, NOTEBOOK));
            var refused = assertThrows(Refused.class, () -> client.forward(job, NOTEBOOK));
            assertEquals(
                    "64 connections are forwarded to " + job + " already; wait until one has ended",
                    refused.getMessage());
            channels.add(client.attach(job, FIRST));
            var command = new ExecBody(List.of("cat"), null, null, null, null);
            channels.add(client.exec(job, command));
        } finally {
            channels.forEach(ExecChannel::close);
        }
    }

    @Test
    void aUserWhoIsSilentForTooLongIsTakenToBeGone() throws Exception {
        try (var impatient = TestServer.impatient(other, SILENCE);
                var client = client(impatient)) {
            String id = running(impatient);
            try (var silent = client.forward(id, NOTEBOOK);
                    var beating = client.forward(id, NOTEBOOK)) {
                silent.send(input("x"));
                assertEquals("x", next(silent).text());
                var sessions = impatient.engine().opened();
                Eventually.when(
                        "it ends",
                        () -> {
                            beating.send(Frame.beat());
                            LockSupport.parkNanos(SILENCE.dividedBy(10).toNanos());
                            return sessions.getFirst().isClosed();
                        });
                beating.send(input("y"));
                assertEquals("y", next(beating).text());
            }
        }
    }

    private String path(String call) {
        return "/v1/jobs/" + job + "/" + call;
    }

    private static void expect(HttpResponse<String> response, int status, String message) {
        assertEquals(message, Json.read(ErrorBody.class, response.body()).message());
        assertEquals(status, response.statusCode());
    }
}
