package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.AheadBody;
import fairlead.api.ErrorBody;
import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.StatsBody;
import fairlead.api.WhyBody;
import fairlead.api.clusters.NodeList;
import fairlead.api.people.ProjectBody;
import fairlead.api.people.ProjectList;
import fairlead.cluster.Gpu;
import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.testing.Eventually;
import fairlead.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;

/** Projects, priorities, parts of GPUs and the answers to why, over real HTTP. */
final class ProjectsTest {
    @TempDir Path folder;

    private static String job(String rest) {
        return "{\"jobs\":[{\"command\":[\"true\"]" + rest + "}]}";
    }

    private static void assertRefused(
            int status, String field, String words, HttpResponse<String> response) {
        assertEquals(status, response.statusCode(), response.body());
        var error = Json.read(ErrorBody.class, response.body());
        assertEquals(words, error.message());
        assertEquals(field, error.field());
    }

    @Test
    void aStoppedProjectTakesNoNewJobsUntilItIsStartedAgain() throws Exception {
        try (var server = new TestServer(folder)) {
            server.put("/v1/projects/vision?create=true", "{\"quota\":1}");
            var stopped = server.put("/v1/projects/vision", "{\"stopped\":true}");
            assertTrue(Json.read(ProjectBody.class, stopped.body()).stopped());
            String job = "{\"jobs\":[{\"command\":[\"true\"],\"project\":\"vision\"}]}";
            var refused = server.post("/v1/jobs", job);
            assertEquals(409, refused.statusCode());
            assertTrue(refused.body().contains("vision is stopped"), refused.body());
            assertEquals(refused.body(), server.post("/v1/jobs?dryRun=true", job).body());
            server.put("/v1/projects/vision", "{\"quota\":2}");
            assertEquals(409, server.post("/v1/jobs", job).statusCode());
            server.put("/v1/projects/vision", "{\"stopped\":false}");
            assertEquals(201, server.post("/v1/jobs", job).statusCode());
        }
    }

    @Test
    void aProjectIsMadeChangedAndListed() throws Exception {
        try (var server = new TestServer(folder)) {
            var made = server.put("/v1/projects/vision?create=true", "{\"quota\":2}");
            assertEquals(201, made.statusCode(), made.body());
            assertEquals(409, server.put("/v1/projects/vision?create=true", "{}").statusCode());
            var changed =
                    server.put(
                            "/v1/projects/vision",
                            "{\"interactiveMax\":1,\"interactiveLimit\":\"90m\",\"add\":[\"bob\",\"ann\"]}");
            assertEquals(
                    new ProjectBody(
                            "vision", 2, List.of("ann", "bob"), 1, "1h30m", 0, 0, null, null),
                    Json.read(ProjectBody.class, changed.body()));
            server.put("/v1/projects/vision", "{\"remove\":[\"bob\"]}");
            server.submit(job(",\"project\":\"vision\",\"gpus\":2"), 201);
            server.submit(job(",\"project\":\"vision\",\"gpus\":1"), 201);
            var list = Json.read(ProjectList.class, server.get("/v1/projects").body());
            assertEquals(
                    List.of(
                            new ProjectBody(
                                    "default", null, List.of(), null, "12h", 0, 0, null, null),
                            new ProjectBody(
                                    "vision", 2, List.of("ann"), 1, "1h30m", 2, 1, null, null)),
                    list.projects());
        }
    }

    @Test
    void whatCannotBeIsRefused() throws Exception {
        try (var server = new TestServer(folder)) {
            for (int quota : List.of(0, -1)) {
                assertRefused(
                        400,
                        "quota",
                        "quota: must be 1 to 1000000 GPUs, but is " + quota,
                        server.put("/v1/projects/a?create=true", "{\"quota\":" + quota + "}"));
            }
            assertRefused(
                    404,
                    "name",
                    "name: no project 'a'; known: default",
                    server.put("/v1/projects/a", "{\"quota\":1}"));
            assertEquals(400, server.put("/v1/projects/a%20b?create=true", "{}").statusCode());
            assertEquals(
                    400,
                    server.put("/v1/projects/a?create=true", "{\"interactiveLimit\":\"0s\"}")
                            .statusCode());
            assertEquals(
                    400,
                    server.put("/v1/projects/a?create=true", "{\"add\":[\"a b\"]}").statusCode());
            String bob = server.person("bob", "{}");
            var forbidden = server.call(bob, "PUT", "/v1/projects/a?create=true", "{}");
            assertRefused(403, null, "only an admin may change projects; you are bob", forbidden);
        }
    }

    @Test
    void aQuotaAndACapAreTakenAwayAgain() throws Exception {
        try (var server = new TestServer(folder)) {
            server.put("/v1/projects/vision?create=true", "{\"quota\":2,\"interactiveMax\":0}");
            var changed = server.put("/v1/projects/vision", "{\"unset\":[\"quota\"]}");
            assertEquals(
                    new ProjectBody("vision", null, List.of(), 0, "12h", 0, 0, null, null),
                    Json.read(ProjectBody.class, changed.body()));
            server.put("/v1/projects/vision", "{\"unset\":[\"interactiveMax\"],\"quota\":1}");
            var list = Json.read(ProjectList.class, server.get("/v1/projects").body());
            assertEquals(
                    new ProjectBody("vision", 1, List.of(), null, "12h", 0, 0, null, null),
                    list.projects().getLast());
            assertRefused(
                    400,
                    "unset",
                    "unset: 'members' cannot be unset; known: quota, interactiveMax",
                    server.put("/v1/projects/vision", "{\"unset\":[\"members\"]}"));
            assertRefused(
                    400,
                    "unset",
                    "unset: quota cannot be both set and unset",
                    server.put("/v1/projects/vision", "{\"unset\":[\"quota\"],\"quota\":1}"));
        }
    }

    @Test
    void aProjectThatNobodyUsesIsDeletedAndMayBeMadeAgain() throws Exception {
        try (var server = new TestServer(folder)) {
            server.put("/v1/projects/vision?create=true", "{\"quota\":2}");
            String bob = server.person("bob", "{\"project\":\"vision\"}");
            assertRefused(
                    403,
                    null,
                    "only an admin may delete projects; you are bob",
                    server.call(bob, "DELETE", "/v1/projects/vision", ""));
            String id = server.submit(job(",\"project\":\"vision\""), 201).ids().getFirst();
            server.awaitState(id, "running");
            assertRefused(
                    409,
                    null,
                    "project vision still has unfinished jobs (1); abort them, or wait for their"
                            + " end",
                    server.delete("/v1/projects/vision"));
            server.engine().end(id, 0);
            server.awaitState(id, "succeeded");
            assertRefused(
                    409,
                    null,
                    "the jobs of bob go to project vision by default; give them another one first",
                    server.delete("/v1/projects/vision"));
            server.patch("/v1/people/bob", "{\"project\":\"default\"}");
            assertEquals(204, server.delete("/v1/projects/vision").statusCode());
            assertEquals("succeeded", server.state(id), "finished jobs stay");
            assertRefused(
                    404,
                    "name",
                    "name: no project 'vision'; known: default",
                    server.delete("/v1/projects/vision"));
            assertRefused(
                    409,
                    null,
                    "the project default always exists",
                    server.delete("/v1/projects/default"));
            assertEquals(201, server.put("/v1/projects/vision?create=true", "{}").statusCode());
        }
    }

    @Test
    void anUnknownProjectIsRefusedWithTheKnownOnes() throws Exception {
        try (var server = new TestServer(folder)) {
            server.put("/v1/projects/vision?create=true", "{\"add\":[\"eve\"]}");
            String words = "jobs[0].project: no project 'visoin'; known: default, vision";
            String body = job(",\"project\":\"visoin\"");
            assertRefused(404, "jobs[0].project", words, server.post("/v1/jobs", body));
            assertRefused(404, "jobs[0].project", words, server.post("/v1/jobs?dryRun=true", body));
            assertRefused(
                    403,
                    null,
                    "ann is not a member of project vision",
                    server.post("/v1/jobs", job(",\"project\":\"vision\"")));
            assertRefused(
                    403,
                    null,
                    "ann is not a member of project vision",
                    server.post("/v1/jobs?dryRun=true", job(",\"project\":\"vision\"")));
            String eve = server.person("eve", "{\"project\":\"vision\"}");
            var dry = server.call(eve, "POST", "/v1/jobs?dryRun=true", job(""));
            assertTrue(dry.body().contains("\"project\":\"vision\""), dry.body());
        }
    }

    @Test
    void aPriorityIsSetOrChanged() throws Exception {
        try (var server = new TestServer(folder)) {
            String path = "/v1/jobs/" + server.submit("a") + "/priority";
            assertEquals(5, priority(server.post(path, "{\"priority\":5}")));
            assertEquals(4, priority(server.post(path, "{\"change\":-1}")));
            assertRefused(
                    400,
                    "priority",
                    "priority: must be -1000000 to 1000000, but would be 1000004",
                    server.post(path, "{\"change\":1000000}"));
            for (String body : List.of("{}", "{\"priority\":1,\"change\":1}")) {
                assertRefused(
                        400,
                        "priority",
                        "priority: say either priority or change",
                        server.post(path, body));
            }
            var detail =
                    Json.read(JobDetail.class, server.get(path.replace("/priority", "")).body());
            // The last of its kind: meanwhile the job may have started.
            var last =
                    detail.events().reversed().stream()
                            .filter(event -> event.event().equals("priority-changed"))
                            .findFirst()
                            .orElseThrow();
            assertEquals("to 4 by ann", last.detail());
        }
    }

    private static int priority(HttpResponse<String> response) {
        assertEquals(200, response.statusCode(), response.body());
        return Json.read(JobBody.class, response.body()).priority();
    }

    @Test
    void partsShareAGpuAndTheNodeShowsWhatIsLeft() throws Exception {
        var gpus = List.of(new Gpu(0, "NVIDIA A100", 40L << 30), new Gpu(1, "Tesla T4", 16L << 30));
        try (var server = new TestServer(folder, new TestEngine(gpus))) {
            String half =
                    server.submit(job(",\"gpu\":0.5,\"gpuType\":\"a100\""), 201).ids().getFirst();
            String eight = server.submit(job(",\"gpuMemory\":\"8G\""), 201).ids().getFirst();
            server.awaitState(half, "running");
            server.awaitState(eight, "running");
            var detail = Json.read(JobDetail.class, server.get("/v1/jobs/" + half).body());
            assertEquals("0.5", detail.job().gpuPart());
            assertEquals(20L << 30, detail.tasks().getFirst().gpuMemoryBytes());
            assertEquals(List.of(0), detail.tasks().getFirst().gpus());
            var node = Json.read(NodeList.class, server.get("/v1/nodes").body()).nodes().getFirst();
            int free = node.devices().stream().mapToInt(gpu -> gpu.freeThousandths()).sum();
            assertTrue(free < 1_500 && free > 900, "free: " + free);
            var never = server.submit(job(",\"gpuMemory\":\"64G\",\"name\":\"big\""), 201);
            assertEquals(
                    List.of(
                            "the job can never start on this cluster: needs 64 GiB of one GPU's"
                                    + " memory; no GPU has that much"),
                    never.warnings());
            var type = server.submit(job(",\"gpuType\":\"h200\",\"name\":\"new\""), 201);
            assertEquals(
                    List.of(
                            "the job can never start on this cluster: needs a GPU of type h200;"
                                    + " this cluster has NVIDIA A100, Tesla T4"),
                    type.warnings());
        }
    }

    @Test
    void nobodyIsToldOfJobsAheadInTheOtherLine() throws Exception {
        try (var server = new TestServer(folder)) {
            server.person("bob", "{}");
            for (String ask : List.of(",\"gpus\":1", ",\"gpus\":0,\"cpus\":40")) {
                server.awaitState(server.submit(job(ask), 201).ids().getFirst(), "running");
            }
            for (int i = 0; i < 2; i++) server.submit(job(",\"gpus\":2"), 201);
            server.submit("{\"as\":\"bob\"," + job(",\"gpus\":0,\"cpus\":40").substring(1), 201);
            String waiting = server.submit(job(",\"gpus\":0,\"cpus\":40"), 201).ids().getFirst();
            var why = Json.read(WhyBody.class, server.get("/v1/jobs/" + waiting + "/why").body());
            assertEquals(2, why.place());
            assertEquals(List.of(new AheadBody("bob", 1, 1, 0)), why.ahead());
        }
    }

    @Test
    void whySaysWhoIsAheadWhenItStartsAndWhatWouldHelp() throws Exception {
        try (var server = new TestServer(folder)) {
            server.person("bob", "{}");
            String first = server.submit(job(",\"gpus\":1,\"time\":\"10m\""), 201).ids().getFirst();
            server.awaitState(first, "running");
            server.submit("{\"as\":\"bob\"," + job(",\"gpus\":2").substring(1), 201);
            String waiting = server.submit(job(",\"gpus\":2"), 201).ids().getFirst();
            var why = Json.read(WhyBody.class, server.get("/v1/jobs/" + waiting + "/why").body());
            assertEquals(2, why.place());
            assertEquals(List.of(new AheadBody("bob", 1, 1, 2)), why.ahead());
            assertEquals("queued", why.state());
            assertTrue(why.predictedEarliest().compareTo(why.predictedStart()) <= 0);
            assertTrue(why.predictedStart().compareTo(why.predictedLatest()) <= 0);
            var page = server.get("/v1/jobs?state=queued").body();
            assertTrue(page.contains("\"predictedStart\":"), page);
        }
    }

    @Test
    void whatAWaitingJobWasToldIsKeptAndJudged() throws Exception {
        try (var server = new TestServer(folder)) {
            String first = server.submit(job(",\"gpus\":2,\"time\":\"10m\""), 201).ids().getFirst();
            server.awaitState(first, "running");
            String waiting = server.submit("second");
            Eventually.when(
                    "the job knows when it starts",
                    () -> server.get("/v1/jobs/" + waiting).body().contains("\"start-predicted\""));
            server.engine().end(first, 0);
            server.awaitState(waiting, "running");
            var stats = Json.read(StatsBody.class, server.get("/v1/stats").body());
            assertEquals(1, stats.predictedWell() + stats.predictedBadly());
            String series = "fairlead_predicted_starts{band=\"%s\"}";
            assertEquals(stats.predictedWell(), server.metric(series.formatted("hit")));
            assertEquals(stats.predictedBadly(), server.metric(series.formatted("missed")));
        }
    }

    @Test
    void adviceIsTheCheapestChangeThatStartsItNow() throws Exception {
        try (var server = new TestServer(folder)) {
            String first = server.submit(job(",\"gpus\":1"), 201).ids().getFirst();
            server.awaitState(first, "running");
            String waiting = server.submit(job(",\"gpus\":2"), 201).ids().getFirst();
            var why = Json.read(WhyBody.class, server.get("/v1/jobs/" + waiting + "/why").body());
            assertEquals("with 1 GPU", why.advice());
            assertEquals(
                    List.of("needs 2 GPUs on one node; the largest free block is 1 on box"),
                    why.obstacles());
        }
    }

    @Test
    void theLogOfAVictimSaysWhoDisplacedItWhyAndWhatItCost() throws Exception {
        try (var server = new TestServer(folder, new TestEngine(2))) {
            server.person("bob", "{}");
            String one = server.submit("one");
            String two = server.submit("two");
            server.awaitState(one, "running");
            server.awaitState(two, "running");
            String bobs =
                    server.submit("{\"as\":\"bob\"," + job(",\"gpus\":1").substring(1), 201)
                            .ids()
                            .getFirst();
            server.awaitState(bobs, "running");
            String why = "bob holds fewer GPUs than ann";
            String lines =
                    "fairlead: preempted for "
                            + bobs
                            + ": "
                            + why
                            + "\nfairlead: stopped at [-\\d]{10} \\d\\d:\\d\\d UTC for "
                            + bobs
                            + " \\("
                            + why
                            + "\\): lost (nothing: it had just begun|\\d+s of work)\n";
            Eventually.when(
                    "a log says who displaced it and what that has cost",
                    () -> (log(server, one) + log(server, two)).matches(lines));
            String victim = log(server, one).isEmpty() ? two : one;
            assertEquals("queued", server.state(victim));
            var detail = Json.read(JobDetail.class, server.get("/v1/jobs/" + victim).body());
            assertTrue(
                    detail.events().stream()
                            .anyMatch(
                                    event ->
                                            ("for " + bobs + ": bob holds fewer GPUs than ann")
                                                    .equals(event.detail())),
                    detail.events().toString());
        }
    }

    private static String log(TestServer server, String job) throws Exception {
        return server.get("/v1/jobs/" + job + "/logs").body();
    }
}
