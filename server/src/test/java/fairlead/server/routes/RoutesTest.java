package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;
import fairlead.api.JobDetail;
import fairlead.api.JobPage;
import fairlead.api.JobsAnswer;
import fairlead.api.StatsBody;
import fairlead.api.SubmitAnswer;
import fairlead.api.WhyBody;
import fairlead.api.clusters.NodeList;
import fairlead.api.clusters.ServerBody;
import fairlead.server.TestServer;
import fairlead.testing.Eventually;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The good path of every call. */
final class RoutesTest {
    @TempDir Path folder;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder);
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    @Test
    void aSubmittedJobRunsAndSucceeds() throws Exception {
        String id = server.submit("train");
        assertTrue(id.startsWith("train_"), id);
        server.awaitState(id, "running");
        server.engine().end(id, 0);
        server.awaitState(id, "succeeded");
        var detail = Json.read(JobDetail.class, server.get("/v1/jobs/" + id).body());
        assertEquals("ann", detail.job().owner());
        assertEquals(0, detail.job().exitCode());
        assertNotNull(detail.job().started());
        assertEquals("succeeded", detail.events().getLast().state());
        assertEquals("submitted", detail.events().getFirst().event());
        assertEquals(List.of("nothing really runs here"), detail.notes());
    }

    @Test
    void aNameThatOneJobHasIsAsGoodAsItsId() throws Exception {
        String train = server.submit("train");
        String other = server.submit("train_2");
        for (String call : List.of("", "/spec", "/why", "/logs")) {
            var response = server.get("/v1/jobs/train" + call);
            assertEquals(200, response.statusCode(), response.body());
        }
        var found = Json.read(JobDetail.class, server.get("/v1/jobs/train").body());
        assertEquals(train, found.job().id());
        assertEquals(200, server.post("/v1/jobs/train_2/abort", "").statusCode());
        server.awaitState(other, "cancelled");
        assertEquals(404, server.get("/v1/jobs/trai").statusCode());

        String second = server.submit("train");
        var several = server.post("/v1/jobs/train/abort", "");
        assertEquals(409, several.statusCode());
        var error = Json.read(ErrorBody.class, several.body());
        assertEquals("ambiguous", error.code());
        assertEquals(List.of(second, train), error.matches());
    }

    @Test
    void lastIsTheCallersNewestJob() throws Exception {
        assertEquals(404, server.get("/v1/jobs/@last").statusCode());
        server.submit("first");
        String last = server.submit("second");
        var found = Json.read(JobDetail.class, server.get("/v1/jobs/@last").body());
        assertEquals(last, found.job().id());
        assertEquals(200, server.post("/v1/jobs/@last/abort", "").statusCode());
        server.awaitState(last, "cancelled");
        found = Json.read(JobDetail.class, server.get("/v1/jobs/%40last").body());
        assertEquals(last, found.job().id(), "also when it has ended");
    }

    @Test
    void aJobOfAnArrayIsFoundByItsIndex() throws Exception {
        var answer =
                server.post(
                        "/v1/jobs",
                        "{\"jobs\":[{\"command\":[\"true\"],\"gpus\":0}],\"array\":{\"from\":3,\"to\":5}}");
        var array = Json.read(SubmitAnswer.class, answer.body());
        String path = "/v1/jobs/" + array.array();
        var found = Json.read(JobDetail.class, server.get(path + "%5B4%5D").body());
        assertEquals(array.ids().get(1), found.job().id());
        var missing = server.get(path + "%5B6%5D");
        assertEquals(404, missing.statusCode());
        assertEquals(
                "array " + array.array() + " has no job 6; its indexes are 3 to 5",
                Json.read(ErrorBody.class, missing.body()).message());
    }

    @Test
    void theLogSaysThatTheTimeLimitHasEndedAJob() throws Exception {
        String body = "{\"jobs\":[{\"command\":[\"true\"],\"time\":\"1s\"}]}";
        String id = server.submit(body, 201).ids().getFirst();
        Eventually.when(
                "the log says that the time limit has ended it",
                () ->
                        server.get("/v1/jobs/" + id + "/logs")
                                .body()
                                .equals(
                                        "fairlead: stopped, because it has run for as long as its"
                                                + " time limit allows (1s)\n"));
        server.awaitState(id, "failed");
        var detail = Json.read(JobDetail.class, server.get("/v1/jobs/" + id).body());
        assertEquals("time limit reached", detail.job().reason());
    }

    @Test
    void r27TheLogSaysWhichLimitHasEndedAnInteractiveJob() throws Exception {
        server.put("/v1/projects/lab?create=true", "{\"interactiveLimit\":\"1s\"}");
        String body =
                "{\"jobs\":[{\"command\":[\"true\"],\"interactive\":true,\"project\":\"lab\"}]}";
        String id = server.submit(body, 201).ids().getFirst();
        Eventually.when(
                "the log says that the limit of its project has ended it",
                () ->
                        server.get("/v1/jobs/" + id + "/logs")
                                .body()
                                .equals(
                                        "fairlead: stopped, because it has run for as long as its"
                                                + " time limit allows (1s, of interactive jobs in"
                                                + " project lab)\n"));
    }

    @Test
    void aRequestRepeatedMakesOneJob() throws Exception {
        String body = "{\"request\":\"r1\",\"jobs\":[{\"command\":[\"true\"]}]}";
        SubmitAnswer first = server.submit(body, 201);
        assertEquals(first.ids(), server.submit(body, 200).ids());
        var page = Json.read(JobPage.class, server.get("/v1/jobs").body());
        assertEquals(1, page.jobs().size());
    }

    @Test
    void anArrayMakesAJobForEachIndexInOrder() throws Exception {
        var answer =
                server.submit(
                        """
                        {"jobs":[{"name":"sweep","command":["echo","lr {i}"],"gpus":0}],
                         "array":{"from":3,"to":7}}\
                        """,
                        201);
        assertEquals(5, answer.ids().size());
        assertNotNull(answer.array());
        var spec = server.get("/v1/jobs/" + answer.ids().get(1) + "/spec").body();
        assertTrue(spec.contains("\"lr 4\""), spec);
        var page = Json.read(JobPage.class, server.get("/v1/jobs?array=" + answer.array()).body());
        assertEquals(
                List.of(7, 6, 5, 4, 3), page.jobs().stream().map(job -> job.arrayIndex()).toList());
        assertEquals(answer.ids().reversed(), page.jobs().stream().map(job -> job.id()).toList());
    }

    @Test
    void aTextFullOfControlCharactersComesBackAsItWas() throws Exception {
        String text = "\\u0001".repeat(5_000);
        String body = "{\"jobs\":[{\"command\":[\"echo\",\"" + text + "\"],\"gpus\":1}]}";
        String id = server.submit(body, 201).ids().getFirst();
        server.awaitState(id, "running");
        var spec = server.get("/v1/jobs/" + id + "/spec").body();
        assertTrue(spec.contains("\"" + text + "\""), spec);
    }

    @Test
    void aDryRunAnswersCompleteSpecsAndSubmitsNothing() throws Exception {
        var response =
                server.post("/v1/jobs?dryRun=true", "{\"jobs\":[{\"command\":\"echo $HOME\"}]}");
        assertEquals(200, response.statusCode());
        assertTrue(response.body().startsWith("[{"), response.body());
        assertTrue(response.body().contains("/folders\""), "one of its own: " + response.body());
        assertTrue(response.body().contains("\"gpus\":1"), response.body());
        assertEquals(0, Json.read(JobPage.class, server.get("/v1/jobs").body()).jobs().size());
    }

    @Test
    void aJobTooLargeForTheClusterIsTakenWithAWarning() throws Exception {
        var answer = server.submit("{\"jobs\":[{\"command\":[\"true\"],\"gpus\":8}]}", 201);
        assertEquals(1, answer.warnings().size());
        assertTrue(answer.warnings().getFirst().contains("can never start"), answer.toString());
        var why = why(answer.ids().getFirst());
        assertTrue(why.obstacles().getFirst().contains("8 GPUs"), why.toString());
        var refused =
                server.post(
                        "/v1/jobs?ifItFits=true",
                        "{\"jobs\":[{\"command\":[\"true\"]},{\"command\":[\"true\"],\"gpus\":8}]}");
        assertEquals(400, refused.statusCode());
        var error = Json.read(ErrorBody.class, refused.body());
        assertEquals("jobs[1]", error.field());
        assertTrue(error.message().contains("the job can never start"), error.message());
        assertEquals(1, Json.read(JobPage.class, server.get("/v1/jobs").body()).jobs().size());
    }

    @Test
    void listsAreNewestFirstAndPagedAcrossUnfinishedAndFinished() throws Exception {
        String first = server.submit("a");
        String second = server.submit("b");
        server.awaitState(second, "running");
        server.engine().end(first, 1);
        server.awaitState(first, "failed");
        String third = server.submit("c");
        assertEquals(List.of(third, second, first), ids("/v1/jobs"));
        assertEquals(List.of(first), ids("/v1/jobs?state=finished"));
        assertEquals(List.of(first), ids("/v1/jobs?state=failed"));
        assertEquals(List.of(third, second), ids("/v1/jobs?state=active"));
        assertEquals(List.of(), ids("/v1/jobs?owner=bob"));
        var page = Json.read(JobPage.class, server.get("/v1/jobs?limit=2").body());
        assertEquals(second, page.next());
        assertEquals(List.of(first), ids("/v1/jobs?limit=2&before=" + page.next()));
        assertNull(Json.read(JobPage.class, server.get("/v1/jobs?limit=3").body()).next());
    }

    private List<String> ids(String target) throws Exception {
        var page = Json.read(JobPage.class, server.get(target).body());
        return page.jobs().stream().map(job -> job.id()).toList();
    }

    @Test
    void aWaitingJobKnowsItsPlaceAndItsObstacles() throws Exception {
        String running = server.submit("a");
        server.submit("b");
        String third = server.submit("c");
        String fourth = server.submit("d");
        server.awaitState(running, "running");
        assertEquals(1, why(third).place());
        assertTrue(why(third).obstacles().getFirst().contains("1 GPU"), why(third).toString());
        assertEquals(2, why(fourth).place());
        assertTrue(why(running).obstacles().getFirst().startsWith("it has been running since"));
        var detail = Json.read(JobDetail.class, server.get("/v1/jobs/" + fourth).body());
        assertEquals(2, detail.job().place());
        assertEquals(why(fourth).obstacles(), detail.obstacles());
    }

    private WhyBody why(String id) throws Exception {
        return Json.read(WhyBody.class, server.get("/v1/jobs/" + id + "/why").body());
    }

    @Test
    void aStartThatFailsIsExplainedAndRepeated() throws Exception {
        server.engine().failLaunches("the disk is full");
        String id = server.submit("a");
        Eventually.when(
                "the trouble is reported",
                () -> why(id).obstacles().equals(List.of("the disk is full")));
        server.engine().failLaunches(null);
        server.awaitState(id, "running");
    }

    @Test
    void abortEndsAJobOnceAndOnlyOnce() throws Exception {
        String id = server.submit("a");
        server.awaitState(id, "running");
        assertEquals(200, server.post("/v1/jobs/" + id + "/abort", "").statusCode());
        server.awaitState(id, "cancelled");
        var again = server.post("/v1/jobs/" + id + "/abort", "");
        assertEquals(409, again.statusCode());
        assertEquals("conflict", Json.read(ErrorBody.class, again.body()).code());
        assertTrue(why(id).obstacles().getFirst().contains("cancelled by ann"));
        String last = server.get("/v1/jobs/" + id + "/events").body().strip();
        assertTrue(last.contains("\"event\":\"ended\",\"detail\":\"cancelled\""), last);
    }

    @Test
    void anAddressThatIsTooLongIsCalledThat() throws Exception {
        var reply = server.get("/v1/jobs/" + "a".repeat(20_000));
        assertEquals(414, reply.statusCode());
        assertEquals(
                "bad request: the address is too long",
                Json.read(ErrorBody.class, reply.body()).message());
    }

    @Test
    void resubmitAbortsTheOldAndSubmitsItsSpecAgain() throws Exception {
        String old = server.submit("a");
        server.awaitState(old, "running");
        var response = server.post("/v1/jobs/" + old + "/resubmit", "{\"gpus\":2}");
        assertEquals(201, response.statusCode(), response.body());
        String fresh = Json.read(SubmitAnswer.class, response.body()).ids().getFirst();
        server.awaitState(old, "cancelled");
        server.awaitState(fresh, "running");
        var detail = Json.read(JobDetail.class, server.get("/v1/jobs/" + fresh).body());
        assertEquals(2, detail.job().gpus());
    }

    @Test
    void resubmitStopsNothingForWhatCanNeverStart() throws Exception {
        String old = server.submit("a");
        server.awaitState(old, "running");
        var response = server.post("/v1/jobs/" + old + "/resubmit", "{\"gpus\":640}");
        assertEquals(400, response.statusCode(), response.body());
        assertTrue(response.body().contains("can never start"), response.body());
        assertTrue(response.body().contains("; nothing was aborted"), response.body());
        server.awaitState(old, "running");
        server.engine().end(old, 0);
        server.awaitState(old, "succeeded");
        var ended = server.post("/v1/jobs/" + old + "/resubmit", "{\"gpus\":640}");
        assertEquals(400, ended.statusCode(), "a typo: " + ended.body());
    }

    @Test
    void aJobInThePlaceOfAnotherAbortsItOnlyIfItCanStart() throws Exception {
        String old = server.submit("a");
        server.awaitState(old, "running");
        String body =
                "{\"instead\":\"%s\",\"jobs\":[{\"name\":\"b\",\"command\":[\"b\"],\"gpus\":%d,\"workdir\":\"/tmp\"}]}";
        var refused = server.post("/v1/jobs", body.formatted(old, 640));
        assertEquals(400, refused.statusCode(), refused.body());
        server.awaitState(old, "running");
        var response = server.post("/v1/jobs", body.formatted(old, 1));
        assertEquals(201, response.statusCode(), response.body());
        server.awaitState(old, "cancelled");
        assertEquals(404, server.post("/v1/jobs", body.formatted("nosuch", 1)).statusCode());
    }

    @Test
    void deleteRemovesAFinishedJobWithItsLogsButNoActiveOne() throws Exception {
        String id = server.submit("a");
        server.awaitState(id, "running");
        server.engine().write(id, 1, "main/0", "hello\n".getBytes());
        assertEquals(409, server.delete("/v1/jobs/" + id).statusCode());
        assertTrue(server.engine().hasLogs(id));
        server.engine().end(id, 0);
        server.awaitState(id, "succeeded");
        assertEquals(204, server.delete("/v1/jobs/" + id).statusCode());
        assertEquals(404, server.get("/v1/jobs/" + id).statusCode());
        assertTrue(!server.engine().hasLogs(id));
    }

    @Test
    void nodesAndStatsShowWhatIsFree() throws Exception {
        String id = server.submit("a");
        server.awaitState(id, "running");
        var nodes = Json.read(NodeList.class, server.get("/v1/nodes").body());
        assertEquals(2, nodes.nodes().getFirst().gpus());
        assertEquals(1, nodes.nodes().getFirst().gpusFree());
        var stats = Json.read(StatsBody.class, server.get("/v1/stats").body());
        assertEquals(1L, stats.jobs().get("running"));
        assertEquals(1.0, stats.gpusByOwner().get("ann"));
    }

    @Test
    void theServerDescribesItself() throws Exception {
        var about = Json.read(ServerBody.class, server.get("/v1/server").body());
        assertEquals("1.2.3", about.version());
        assertEquals(server.url(), about.url());
        assertEquals("elastic", about.policy());
        assertEquals("ok\n", server.get("/healthz").body());
        assertEquals("ok\n", server.get("/readyz").body());
        assertTrue(server.get("/v1/job.schema.json").body().contains("\"$schema\""));
        assertTrue(server.metric("fairlead_ticks_total") > 0);
        assertEquals(2, server.metric("fairlead_gpus{cluster=\"local\"}"));
    }

    @Test
    void aBackupIsWrittenToANewFileOnly() throws Exception {
        server.submit("a");
        Path copy = folder.resolve("copy.db");
        String body = "{\"file\":\"" + copy + "\"}";
        assertEquals(201, server.post("/v1/server/backup", body).statusCode());
        assertTrue(Files.size(copy) > 0);
        assertEquals(409, server.post("/v1/server/backup", body).statusCode());
        var relative = server.post("/v1/server/backup", "{\"file\":\"copy.db\"}");
        assertEquals(400, relative.statusCode());
        assertEquals("file", Json.read(ErrorBody.class, relative.body()).field());
    }

    @Test
    void anArrayIsAbortedByOneCall() throws Exception {
        var answer =
                server.submit(
                        """
                        {"jobs":[{"name":"sweep","command":["sleep","{i}"],"gpus":1}],
                         "array":{"from":0,"to":4}}\
                        """,
                        201);
        server.awaitState(answer.ids().get(1), "running");
        String path = "/v1/arrays/" + answer.array() + "/abort";
        String stranger = server.person("bob", "{}");
        assertEquals(403, server.call(stranger, "POST", path, "").statusCode());
        var aborted = Json.read(JobsAnswer.class, server.post(path, "").body());
        assertEquals(answer.array(), aborted.array());
        assertEquals(answer.ids(), aborted.jobs().stream().map(job -> job.id()).toList());
        assertEquals(
                List.of("stopping", "stopping", "cancelled", "cancelled", "cancelled"),
                aborted.jobs().stream().map(job -> job.state()).toList());
        for (String id : answer.ids()) server.awaitState(id, "cancelled");
        var again = server.post(path, "");
        assertEquals(409, again.statusCode());
        assertTrue(again.body().contains("have already ended"), again.body());
        assertEquals(404, server.post("/v1/arrays/00000000/abort", "").statusCode());
    }

    /** Nine hundred variables of a kilobyte each, ten thousand times. */
    @Test
    void aLargeSpecOfALongArrayIsTakenAsOneAndItsDryRunIsBounded() throws Exception {
        var variables = new StringBuilder();
        for (int i = 0; i < 900; i++)
            variables
                    .append(i == 0 ? "" : ",")
                    .append("\"V%d\":\"".formatted(i))
                    .append("{i}")
                    .append("x".repeat(1_000))
                    .append('"');
        String body =
                "{\"jobs\":[{\"command\":[\"true\"],\"gpus\":1,\"env\":{"
                        + variables
                        + "}}],\"array\":{\"from\":0,\"to\":9999}}";
        var dry = server.post("/v1/jobs?dryRun=true", body);
        assertEquals(400, dry.statusCode());
        assertTrue(dry.body().contains("a shorter array"), dry.body());
        var answer = server.submit(body, 201);
        assertEquals(10_000, answer.ids().size());
        String last = server.get("/v1/jobs/" + answer.ids().getLast() + "/spec").body();
        assertTrue(last.contains("\"V899\":\"9999x"), "with its own index");
        assertEquals(
                10_000,
                Json.read(
                                JobsAnswer.class,
                                server.post("/v1/arrays/" + answer.array() + "/abort", "").body())
                        .jobs()
                        .size());
    }

    @Test
    void aDryRunOfAnArrayShowsEachIndex() throws Exception {
        var response =
                server.post(
                        "/v1/jobs?dryRun=true",
                        """
                        {"jobs":[{"command":["echo","{i}"]}],"array":{"from":8,"to":9}}\
                        """);
        assertEquals(200, response.statusCode());
        assertTrue(response.body().contains("[\"echo\",\"8\"]"), response.body());
        assertTrue(response.body().endsWith("}]"), response.body());
        assertTrue(response.body().contains("[\"echo\",\"9\"]"), response.body());
    }
}
