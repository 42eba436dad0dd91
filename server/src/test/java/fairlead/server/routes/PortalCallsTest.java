package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ForecastAnswer;
import fairlead.api.LogHits;
import fairlead.api.clusters.GpuUseList;
import fairlead.api.clusters.TimelineBody;
import fairlead.api.metrics.MetricsBody;
import fairlead.api.spec.FileAnswer;
import fairlead.engine.GpuUse;
import fairlead.server.Script;
import fairlead.server.TestEngine;
import fairlead.server.TestServer;
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
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What the portal asks of the server and no other client does. */
final class PortalCallsTest {
    @TempDir Path folder;
    private final TestEngine engine = new TestEngine(2);
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        engine.uses(List.of(use(0, 80), use(1, 40)));
        server = new TestServer(folder, engine);
    }

    private GpuUse use(int gpu, int percent) {
        return new GpuUse("box", gpu, OptionalInt.of(percent), OptionalLong.of(1L << 30));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String running(String name, int gpus) throws Exception {
        String id =
                server.submit(
                                "{\"jobs\":[{\"name\":\"%s\",\"command\":\"x\",\"gpus\":%d}]}"
                                        .formatted(name, gpus),
                                201)
                        .ids()
                        .getFirst();
        server.awaitState(id, "running");
        return id;
    }

    /** As a browser: with a cookie and without a token. */
    private HttpResponse<String> browse(
            String cookie, String method, String target, String body, String... headers)
            throws Exception {
        var request =
                HttpRequest.newBuilder(URI.create(server.url() + target))
                        .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!cookie.isEmpty()) request.header("Cookie", cookie);
        for (int i = 0; i < headers.length; i += 2) request.header(headers[i], headers[i + 1]);
        try (var client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static String cookie(HttpResponse<String> login) {
        return login.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
    }

    @Test
    void aSessionIsACookieThatReadsFreelyAndChangesOnlyWithTheHeader() throws Exception {
        var login = browse("", "POST", "/v1/session", "{\"token\":\"" + TestServer.TOKEN + "\"}");
        assertEquals(201, login.statusCode(), login.body());
        String set = login.headers().firstValue("Set-Cookie").orElseThrow();
        assertTrue(set.contains("HttpOnly") && set.contains("SameSite=Strict"), set);
        String cookie = cookie(login);
        assertEquals(200, browse(cookie, "GET", "/v1/me", "").statusCode());
        String job = "{\"jobs\":[{\"command\":\"x\"}]}";
        assertEquals(403, browse(cookie, "POST", "/v1/jobs", job).statusCode());
        assertEquals(
                201,
                browse(cookie, "POST", "/v1/jobs", job, "X-Fairlead-Portal", "1").statusCode());
        assertEquals(
                403,
                browse(
                                cookie,
                                "POST",
                                "/v1/jobs",
                                job,
                                "X-Fairlead-Portal",
                                "1",
                                "Origin",
                                "http://elsewhere.org")
                        .statusCode());
        var out = browse(cookie, "DELETE", "/v1/session", "", "X-Fairlead-Portal", "1");
        assertEquals(204, out.statusCode());
        assertEquals(401, browse(cookie, "GET", "/v1/me", "").statusCode());
    }

    @Test
    void aSessionEndsWithTheTokenThatItBeganWith() throws Exception {
        String token = server.person("bob", "{}");
        var login = browse("", "POST", "/v1/session", "{\"token\":\"" + token + "\"}");
        assertEquals(200, browse(cookie(login), "GET", "/v1/me", "").statusCode());
        server.post("/v1/people/bob/token", "{}");
        assertEquals(401, browse(cookie(login), "GET", "/v1/me", "").statusCode());
        assertEquals(
                401,
                browse("", "POST", "/v1/session", "{\"name\":\"bob\",\"password\":\"wrong\"}")
                        .statusCode());
    }

    @Test
    void r51TheUseOfAJobsGpusIsSampledAndShown() throws Exception {
        String id = running("train", 2);
        Eventually.when(
                "the GPUs are looked at",
                () -> server.get("/api/state").body().contains("\"utilization_compute\":60"));
        var uses = Json.read(GpuUseList.class, server.get("/v1/gpus").body());
        assertEquals(List.of(80), uses.gpus().getFirst().percent());
        assertTrue(server.get("/v1/nodes").body().contains("\"job\":\"" + id + "\""));
    }

    @Test
    void metricsComeFromAJobItselfAndAreItsOwnersAlone() throws Exception {
        String id = running("train", 1);
        String token = new Script(server, id).token();
        String points =
                "{\"points\":[{\"step\":1,\"values\":{\"loss\":0.5}},{\"epoch\":2,\"values\":{\"loss\":0.25,\"<b>\":1}}]}";
        String target = "/v1/jobs/" + id + "/metrics";
        assertEquals(204, server.call(token, "POST", target, points).statusCode());
        assertEquals(403, server.post(target, points).statusCode());
        var metrics = Json.read(MetricsBody.class, server.get(target).body());
        assertEquals(
                List.of("<b>", "loss"), metrics.series().stream().map(it -> it.name()).toList());
        assertEquals(List.of(0.5, 0.25), metrics.series().getLast().values());
        String bob = server.person("bob", "{}");
        assertEquals(403, server.call(bob, "GET", target, "").statusCode());
        assertTrue(server.get("/metrics").body().contains("metric=\"loss\"} 0.25"));
        for (String bad :
                List.of(
                        "{}",
                        "{\"points\":[{}]}",
                        "{\"points\":[{\"step\":-1,\"values\":{\"a\":1}}]}",
                        "{\"points\":[{\"values\":{\"\":1}}]}"))
            assertEquals(400, server.call(token, "POST", target, bad).statusCode(), bad);
    }

    @Test
    void aForecastSaysWhenAJobWouldStartAndSubmitsNothing() throws Exception {
        running("whole", 2);
        var wait = forecast("{\"jobs\":[{\"command\":\"x\",\"gpus\":2}]}");
        assertTrue(wait.obstacles().getFirst().contains("needs 2 GPUs"), wait.toString());
        assertEquals("ann", wait.holders().getFirst().owner());
        var now = forecast("{\"jobs\":[{\"command\":\"x\",\"gpus\":0}]}");
        assertEquals(List.of(), now.obstacles());
        assertTrue(server.get("/v1/jobs?state=queued").body().contains("\"jobs\":[]"));
    }

    private ForecastAnswer forecast(String body) throws Exception {
        var answer = server.post("/v1/jobs?forecast=true", body);
        assertEquals(200, answer.statusCode(), answer.body());
        return Json.read(ForecastAnswer.class, answer.body());
    }

    @Test
    void o82AJobFileIsReadWithItsMistakesAtTheirLines() throws Exception {
        assertEquals(3, problem("name: a\ncommand: x\ngpuss: 2\n"));
        assertEquals(2, problem("command: x\nproject: nobodys\n"));
        assertEquals(2, problem("command: x\n  y: [\n"));
        FileAnswer good = file("command: x\n---\ncommand: y\ngpus: 2\n");
        assertEquals("ours", good.kind());
        assertEquals(2, good.jobs().size());
        FileAnswer pod =
                file(
                        "apiVersion: v1\n"
                                + "kind: Pod\n"
                                + "metadata: {name: p}\n"
                                + "spec: {containers: [{name: c, image: i, command: [x]}]}\n");
        assertEquals("pod", pod.kind());
    }

    private FileAnswer file(String text) throws Exception {
        return Json.read(FileAnswer.class, server.post("/v1/jobfile", text).body());
    }

    private int problem(String text) throws Exception {
        FileAnswer answer = file(text);
        assertEquals(1, answer.problems().size(), answer.toString());
        return answer.problems().getFirst().line();
    }

    @Test
    void aLogIsReadInWindowsAndSearched() throws Exception {
        String id = running("train", 1);
        engine.write(id, 1, "main/0", "one\ntwo\nthree\n".getBytes(StandardCharsets.UTF_8));
        var window = server.get("/v1/jobs/" + id + "/logs?offset=4&length=3");
        assertEquals("two", window.body());
        assertEquals("4", window.headers().firstValue("X-Log-Begin").orElse(""));
        assertEquals("14", window.headers().firstValue("X-Log-End").orElse(""));
        var hits = server.get("/v1/jobs/" + id + "/logs/search?text=T&backwards=true");
        assertEquals(new LogHits(1, List.of(8L, 4L), null), Json.read(LogHits.class, hits.body()));
    }

    @Test
    void theGpusOverTimeAreWhoHadThemAndWhoWill() throws Exception {
        String id = running("whole", 2);
        engine.end(id, 0);
        server.awaitState(id, "succeeded");
        running("next", 1);
        var timeline = Json.read(TimelineBody.class, server.get("/v1/timeline").body());
        assertEquals(2, timeline.runs().size(), timeline.toString());
        assertEquals(
                List.of(0, 1),
                timeline.runs().stream()
                        .filter(run -> run.job().equals(id))
                        .findFirst()
                        .orElseThrow()
                        .gpus());
    }

    @Test
    void aBuildWithoutThePortalSaysHowToGetIt() throws Exception {
        assertEquals(302, browse("", "GET", "/", "").statusCode());
        var page = browse("", "GET", "/portal/", "");
        assertTrue(page.statusCode() == 200 || page.body().contains("Node.js"), page.body());
    }
}
