package fairlead.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;
import fairlead.api.EventBody;
import fairlead.api.JobBody;
import fairlead.server.EventReader;
import fairlead.server.TestServer;
import fairlead.server.bodies.JsonTree;
import fairlead.testing.Eventually;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Logs and states as they come, and what becomes of those who listen. */
final class StreamsTest {
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

    private String running(String name) throws Exception {
        String id = server.submit(name);
        server.awaitState(id, "running");
        return id;
    }

    private void write(String id, int attempt, String text) {
        server.engine().write(id, attempt, "main/0", text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(EventReader.Event event) {
        return (String) JsonTree.read(event.data());
    }

    @Test
    void aLogSoFarIsPlainTextWithTheOffsetAfterIt() throws Exception {
        String id = running("a");
        write(id, 1, "one\ntwo\nthree\n");
        var all = server.get("/v1/jobs/" + id + "/logs");
        assertEquals("one\ntwo\nthree\n", all.body());
        assertEquals("14", all.headers().firstValue("x-log-offset").get());
        assertEquals("1", all.headers().firstValue("x-log-attempt").get());
        assertEquals("two\nthree\n", server.get("/v1/jobs/" + id + "/logs?tail=2").body());
        assertEquals("three\n", server.get("/v1/jobs/" + id + "/logs?offset=8").body());
        assertEquals("", server.get("/v1/jobs/" + id + "/logs?tail=0").body());
        assertEquals("", server.get("/v1/jobs/" + id + "/logs?offset=99").body());
    }

    @Test
    void aJobThatHasNeverRunHasAnEmptyLog() throws Exception {
        running("a");
        running("b");
        String waiting = server.submit("c");
        var log = server.get("/v1/jobs/" + waiting + "/logs");
        assertEquals("", log.body());
        assertEquals("0", log.headers().firstValue("x-log-offset").get());
    }

    @Test
    void aFollowerGetsEverythingToTheEnd() throws Exception {
        String id = running("a");
        write(id, 1, "one\n");
        try (var stream = server.stream("/v1/jobs/" + id + "/logs?follow=true")) {
            var first = stream.next().orElseThrow();
            assertEquals(new EventReader.Event("log", "1:4", "\"one\\n\""), first);
            write(id, 1, "two\n");
            var second = stream.next().orElseThrow();
            assertEquals("two\n", text(second));
            assertEquals("1:8", second.id());
            write(id, 1, "last");
            server.engine().end(id, 3);
            List<EventReader.Event> rest = stream.rest();
            assertEquals("last", text(rest.getFirst()));
            assertEquals("end", rest.getLast().name());
            var job = Json.read(JobBody.class, rest.getLast().data());
            assertEquals("failed", job.state());
            assertEquals(3, job.exitCode());
        }
    }

    @Test
    void aStreamEndsWithTheTokenThatOpenedIt() throws Exception {
        String bob = server.person("bob", "{}");
        String job = "{\"as\":\"bob\",\"jobs\":[{\"command\":[\"true\"],\"gpus\":1}]}";
        String id = server.submit(job, 201).ids().getFirst();
        server.awaitState(id, "running");
        try (var log = server.streamAs(bob, "/v1/jobs/" + id + "/logs?follow=true");
                var happenings = server.streamAs(bob, "/v1/events");
                var own = server.streamAs(bob, "/v1/jobs/" + id + "/events")) {
            for (int i = 0; i < 3; i++) assertEquals("state", own.next().orElseThrow().name());
            server.delete("/v1/people/bob");
            write(id, 1, "not for strangers\n");
            server.engine().end(id, 0);
            for (var stream : List.of(log, happenings, own)) {
                List<EventReader.Event> rest = stream.rest();
                assertEquals(1, rest.size(), rest.toString());
                assertEquals("error", rest.getFirst().name());
                var error = Json.read(ErrorBody.class, rest.getFirst().data());
                assertEquals("unauthorized", error.code());
                assertEquals("the token works no more", error.message());
            }
        }
    }

    @Test
    void aFollowerOfAWaitingJobSeesItStart() throws Exception {
        String first = running("a");
        running("b");
        String waiting = server.submit("c");
        try (var stream = server.stream("/v1/jobs/" + waiting + "/logs?follow=true")) {
            server.engine().end(first, 0);
            server.awaitState(waiting, "running");
            write(waiting, 1, "at last\n");
            assertEquals("at last\n", text(stream.next().orElseThrow()));
        }
    }

    @Test
    void aFollowerGoesOnThroughAttempts() throws Exception {
        var answer =
                server.submit(
                        """
                        {"jobs":[{"command":["true"],"gpus":1,"retries":1}]}\
                        """,
                        201);
        String id = answer.ids().getFirst();
        server.awaitState(id, "running");
        write(id, 1, "first try");
        try (var stream = server.stream("/v1/jobs/" + id + "/logs?follow=true")) {
            assertEquals("first try", text(stream.next().orElseThrow()));
            server.engine().end(id, 1);
            assertEquals(new EventReader.Event("attempt", "2:0", "2"), stream.next().orElseThrow());
            server.awaitState(id, "running");
            write(id, 2, "second try");
            assertEquals("second try", text(stream.next().orElseThrow()));
            server.engine().end(id, 0);
            assertEquals("end", stream.next().orElseThrow().name());
        }
        try (var resumed =
                server.stream("/v1/jobs/" + id + "/logs?follow=true", "Last-Event-ID", "1:6")) {
            var events = resumed.rest();
            assertEquals("try", text(events.get(0)));
            assertEquals("attempt", events.get(1).name());
            assertEquals("second try", text(events.get(2)));
            assertEquals("end", events.get(3).name());
        }
        assertEquals("first try", server.get("/v1/jobs/" + id + "/logs?attempt=1").body());
        assertEquals("second try", server.get("/v1/jobs/" + id + "/logs").body());
    }

    @Test
    void charactersAreNeverSplitAndBadBytesAreReplaced() throws Exception {
        String id = running("a");
        byte[] euro = "€".getBytes(StandardCharsets.UTF_8);
        server.engine().write(id, 1, "main/0", new byte[] {'a', euro[0], euro[1]});
        try (var stream = server.stream("/v1/jobs/" + id + "/logs?follow=true")) {
            var first = stream.next().orElseThrow();
            assertEquals("a", text(first));
            assertEquals("1:1", first.id());
            server.engine().write(id, 1, "main/0", new byte[] {euro[2], (byte) 0xff, euro[0]});
            assertEquals("€\ufffd", text(stream.next().orElseThrow()));
            server.engine().end(id, 0);
            assertEquals("\ufffd", text(stream.next().orElseThrow()));
        }
    }

    @Test
    void aLongLogArrivesWhole() throws Exception {
        String id = running("a");
        String line = "0123456789€".repeat(100) + "\n";
        String all = line.repeat(500);
        write(id, 1, all);
        server.engine().end(id, 0);
        var text = new StringBuilder();
        try (var stream = server.stream("/v1/jobs/" + id + "/logs?follow=true")) {
            for (var event : stream.rest())
                if (event.name().equals("log")) text.append(text(event));
        }
        assertEquals(all, text.toString());
        assertEquals(all, server.get("/v1/jobs/" + id + "/logs").body());
        assertEquals(line.repeat(200), server.get("/v1/jobs/" + id + "/logs?tail=200").body());
    }

    @Test
    void aJobsStatesArriveFromTheFirstToTheLast() throws Exception {
        String id = running("a");
        try (var stream = server.stream("/v1/jobs/" + id + "/events")) {
            assertEquals("queued", state(stream));
            assertEquals("starting", state(stream));
            assertEquals("running", state(stream));
            server.engine().end(id, 0);
            var rest = stream.rest();
            var last = Json.read(EventBody.class, rest.getLast().data());
            assertEquals("succeeded", last.state());
            assertEquals("5", rest.getLast().id());
        }
        try (var resumed = server.stream("/v1/jobs/" + id + "/events", "Last-Event-ID", "4")) {
            assertEquals(1, resumed.rest().size());
        }
    }

    private static String state(EventReader stream) throws IOException {
        return Json.read(EventBody.class, stream.next().orElseThrow().data()).state();
    }

    @Test
    void everyJobsStatesArriveFromNowOn() throws Exception {
        String before = running("a");
        try (var stream = server.stream("/v1/events")) {
            String id = running("b");
            server.engine().end(id, 0);
            var states = new ArrayList<String>();
            while (!states.contains("succeeded")) {
                var event = Json.read(EventBody.class, stream.next().orElseThrow().data());
                assertEquals(id, event.job());
                assertTrue(!event.job().equals(before));
                states.add(event.state());
            }
            assertEquals(List.of("queued", "starting", "running", "running", "succeeded"), states);
        }
    }

    /** A peer that asks and then does nothing. */
    private Socket ask(String target) throws Exception {
        var url = URI.create(server.url());
        var socket = new Socket(url.getHost(), url.getPort());
        String head =
                "GET %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
                        .formatted(target, TestServer.TOKEN);
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    @Test
    void aPeerThatTakesNothingLosesItsStream() throws Exception {
        String id = running("a");
        server.engine().write(id, 1, "main/0", new byte[64 << 20]);
        try (var _ = ask("/v1/jobs/" + id + "/logs");
                var _ = ask("/v1/jobs/" + id + "/logs?follow=true")) {
            Eventually.when("both are open", () -> server.metric("fairlead_open_streams") == 2);
            Eventually.when(
                    "both are given back", () -> server.metric("fairlead_open_streams") == 0);
        }
    }

    @Test
    void aPeerThatHangsUpGivesItsStreamBack() throws Exception {
        String id = running("a");
        var sockets = new ArrayList<Socket>();
        for (String target : List.of("/events", "/logs?follow=true"))
            sockets.add(ask("/v1/jobs/" + id + target));
        Eventually.when("two streams are open", () -> server.metric("fairlead_open_streams") == 2);
        for (Socket socket : sockets) socket.close();
        Eventually.when("both are given back", () -> server.metric("fairlead_open_streams") == 0);
    }

    @Test
    void oneStreamTooManyIsRefused() throws Exception {
        String id = running("a");
        var streams = new ArrayList<EventReader>();
        for (int i = 0; i < Streams.OPEN_MAX; i++)
            streams.add(server.stream("/v1/jobs/" + id + "/events"));
        var refused = server.get("/v1/jobs/" + id + "/logs?follow=true");
        assertEquals(429, refused.statusCode());
        assertEquals("busy", Json.read(ErrorBody.class, refused.body()).code());
        for (EventReader stream : streams) stream.close();
        Eventually.when("all are given back", () -> server.metric("fairlead_open_streams") == 0);
    }

    @Test
    void aBadPlaceToResumeIsRefused() throws Exception {
        String id = running("a");
        for (String bad : List.of("x", "1", "1:-1", "2:0")) {
            assertThrows(
                    IOException.class,
                    () ->
                            server.stream(
                                    "/v1/jobs/" + id + "/logs?follow=true", "Last-Event-ID", bad),
                    bad);
        }
    }
}
