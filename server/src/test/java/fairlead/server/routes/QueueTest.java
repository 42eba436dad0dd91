package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.QueueBody;
import fairlead.api.QueueList;
import fairlead.cluster.Guest;
import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.server.bodies.JsonTree;
import fairlead.testing.Eventually;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The queue that everyone looks at, in its three forms. */
final class QueueTest {
    private static final Instant MORNING = Instant.parse("2026-01-01T08:00:00Z");

    @TempDir Path folder;
    private final TestEngine local = new TestEngine(1);
    private final TestEngine lab = new TestEngine(2);
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        lab.host(
                List.of(
                        guest("bobs-notebook", "bob", 0, Optional.of("node-7")),
                        guest("bobs-next", "bob", -2, Optional.empty())));
        server =
                new TestServer(
                        folder,
                        local,
                        lab,
                        Map.of("clusters", "lab, local", "lab.engine", "kubernetes"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static Guest guest(String name, String owner, int priority, Optional<String> node) {
        return new Guest(
                name,
                "lab",
                owner,
                priority,
                1,
                node,
                node.isPresent() ? "Running" : "Pending",
                MORNING,
                node.map(_ -> MORNING.plusSeconds(9)));
    }

    private String submit(String owner, int gpus) throws Exception {
        String body = "{\"as\":\"%s\",\"jobs\":[{\"command\":[\"true\"],\"gpus\":%d}]}";
        return server.submit(body.formatted(owner, gpus), 201).ids().getFirst();
    }

    private static QueueList queue(HttpResponse<String> response) {
        assertEquals(200, response.statusCode(), response.body());
        return Json.read(QueueList.class, response.body());
    }

    private List<String> lines(String target) throws Exception {
        var lines = new ArrayList<String>();
        for (QueueBody work : queue(server.get(target)).queue()) {
            lines.add(
                    "%s %s %s %s %d %d %s"
                            .formatted(
                                    work.name(),
                                    work.owner(),
                                    work.status(),
                                    work.gpus(),
                                    work.ordinal(),
                                    (int) work.globalOrdinal(),
                                    work.nodes()));
        }
        return lines;
    }

    @Test
    void r45r46JobsStandInTheFairOrderTogetherWithWhatOthersHaveStarted() throws Exception {
        String wide = submit("ann", 2);
        server.awaitState(wide, "running");
        String again = submit("ann", 1);
        String second = submit("bob", 1);
        String small = submit("cat", 0);
        server.awaitState(small, "running");
        List<String> expected =
                List.of(
                        small + " cat running 0.0 0 0 [box]",
                        "bobs-notebook bob Running 1.0 1 1 [node-7]",
                        wide + " ann running 2.0 1 3 [box]",
                        second + " bob queued 1.0 2 4 []",
                        "bobs-next bob Pending 1.0 3 5 []",
                        again + " ann queued 1.0 3 6 []");
        // The view of a cluster is published a moment after its jobs.
        Eventually.when("the queue is " + expected, () -> lines("/v1/queue").equals(expected));
        assertEquals(List.of(), lines("/v1/queue?cluster=local"));
        assertEquals(400, server.get("/v1/queue?cluster=mars").statusCode());
    }

    @Test
    void aGuestThatGoesLeavesTheQueue() throws Exception {
        Eventually.when("both are there", () -> lines("/v1/queue").size() == 2);
        lab.host(List.of());
        Eventually.when("the queue is empty", () -> lines("/v1/queue").isEmpty());
    }

    @Test
    void aClusterOutOfReachIsToldWithTheQueue() throws Exception {
        lab.vanish("no route to host");
        Eventually.when(
                "it is reported",
                () ->
                        queue(server.get("/v1/queue"))
                                .notes()
                                .equals(
                                        List.of(
                                                "the cluster lab cannot be reached: no route to"
                                                        + " host")));
    }

    @Test
    void r50TheLabsOldPageFindsItsFields() throws Exception {
        String job = submit("ann", 1);
        server.awaitState(job, "running");
        var list = (List<?>) JsonTree.read(server.get("/api/state").body());
        Map<String, Object> pod = JsonTree.object(list.getFirst());
        assertEquals(
                Set.of(
                        "name",
                        "user",
                        "status",
                        "date_created",
                        "date_started",
                        "num_gpu",
                        "user_priority",
                        "user_ordinal",
                        "global_ordinal",
                        "utilization_mem",
                        "utilization_compute",
                        "utilization_date"),
                pod.keySet());
        assertEquals("bobs-notebook", pod.get("name"));
        assertEquals("bob", pod.get("user"));
        assertEquals("Running", pod.get("status"));
        assertEquals("2026-01-01T08:00:09Z", pod.get("date_started"));
        assertTrue(server.get("/api/state").body().contains("\"utilization_mem\":null"));
        assertTrue(server.get("/api/state").body().contains("\"num_gpu\":1,"));
    }

    @Test
    void r50OneLineOfTheQueueHasAPageOfItsOwn() throws Exception {
        String body =
                "{\"jobs\":[{\"name\":\"train\",\"command\":[\"true\",\"<secret>\"],\"gpus\":1,"
                        + "\"container\":{\"podName\":\"train-0-0\"}}]}";
        String job = server.submit(body, 201).ids().getFirst();
        server.awaitState(job, "running");
        for (String name : List.of(job, "train", "train-0-0")) {
            var page = server.get("/describe/" + name);
            assertEquals(200, page.statusCode(), page.body());
            assertTrue(page.headers().firstValue("Content-Type").orElse("").contains("text/html"));
            assertTrue(page.body().contains("<h1>" + job + "</h1>"), page.body());
            assertTrue(page.body().contains("<td>User's GPU</td><td>1st</td>"), page.body());
            assertTrue(page.body().contains("<td>started</td><td>attempt 1</td>"), page.body());
            assertFalse(page.body().contains("secret"), "the command is its owner's alone");
        }
        var guest = server.get("/describe/bobs-notebook");
        assertTrue(guest.body().contains("<td>Node</td><td>node-7</td>"), guest.body());
        assertEquals(404, server.get("/describe/nosuch").statusCode());
        lab.end(job, 0);
        server.awaitState(job, "succeeded");
        var over = server.get("/describe/" + job);
        assertTrue(over.body().contains("<td>Status</td><td>succeeded</td>"), over.body());
    }

    @Test
    void aBrowserIsAskedForTheTokenAsAPassword() throws Exception {
        try (var browser = HttpClient.newHttpClient()) {
            var stranger = browser(browser, "/queue", "");
            assertEquals(401, stranger.statusCode());
            assertEquals(
                    List.of("Basic realm=\"Fairlead\""),
                    stranger.headers().allValues("WWW-Authenticate"));
            assertEquals(401, browser(browser, "/queue", "ann:wrong").statusCode());
            var page = browser(browser, "/queue", "anyone:" + TestServer.TOKEN);
            assertEquals(200, page.statusCode());
            assertTrue(page.headers().firstValue("Content-Type").orElse("").contains("text/html"));
            assertTrue(page.body().contains("User's GPU"), page.body());
            String policy = page.headers().firstValue("Content-Security-Policy").orElseThrow();
            assertTrue(policy.contains("script-src 'sha256-"), policy);
            for (String path : List.of("/v1/queue", "/api/state"))
                assertEquals(200, browser(browser, path, ":" + TestServer.TOKEN).statusCode());
        }
    }

    /** A page of somebody else could otherwise make a browser abort its user's jobs. */
    @Test
    void aPasswordOpensNothingThatChangesSomething() throws Exception {
        try (var browser = HttpClient.newHttpClient()) {
            for (String path : List.of("/v1/jobs", "/v1/server", "/metrics")) {
                var answer = browser(browser, path, "ann:" + TestServer.TOKEN);
                assertEquals(401, answer.statusCode(), path);
                assertFalse(
                        answer.headers()
                                .allValues("WWW-Authenticate")
                                .toString()
                                .contains("Basic"));
            }
        }
    }

    private HttpResponse<String> browser(HttpClient client, String path, String pair)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create(server.url() + path));
        byte[] bytes = pair.getBytes(StandardCharsets.UTF_8);
        if (!pair.isEmpty())
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes));
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
