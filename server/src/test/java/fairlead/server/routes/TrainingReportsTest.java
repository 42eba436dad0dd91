package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;
import fairlead.api.EventBody;
import fairlead.api.JobPage;
import fairlead.api.ProfileBody;
import fairlead.api.SpeedBody;
import fairlead.server.Script;
import fairlead.server.TestServer;
import fairlead.server.http.Route;
import fairlead.server.snapshot.Snapshot;
import fairlead.testing.Eventually;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;

/** What training scripts tell, over real HTTP: what is kept of it, and what is refused. */
final class TrainingReportsTest {
    private static final int EPOCHS = 20;

    @TempDir Path folder;
    private TestServer server;
    private String job;
    private Script script;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder);
        job = server.train(EPOCHS, 1, "");
        script = new Script(server, job);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private long count(String event) throws Exception {
        return server.detail(job).events().stream().filter(e -> e.event().equals(event)).count();
    }

    private static void assertRefused(
            int status, String code, String words, HttpResponse<String> response) {
        assertEquals(status, response.statusCode(), response.body());
        var error = Json.read(ErrorBody.class, response.body());
        assertEquals(code, error.code());
        assertTrue(error.message().contains(words), error.message());
    }

    @Test
    void d31EveryRankTellsOfAnEpochAndItIsCountedOnce() throws Exception {
        for (int rank = 0; rank < 4; rank++) {
            assertFalse(script.tell(rank, "hello", 0, ""));
            assertFalse(script.tell(rank, "epoch-start", 0, ""));
        }
        for (int rank = 0; rank < 4; rank++) {
            script.tell(rank, "epoch-end", 1, ",\"epochSeconds\":12.5,\"stepSeconds\":0.5");
        }
        assertEquals(1, count("training-joined"));
        assertEquals(1, count("epoch-ended"));
        var detail = server.detail(job);
        assertEquals(1, detail.progress().epochsDone());
        assertEquals(EPOCHS, detail.progress().epochs());
        assertNotNull(detail.progress().savedAt());
        assertNull(detail.progress().gpuMemoryBytes());
        assertNull(detail.setbacks());
        var listed = Json.read(JobPage.class, server.get("/v1/jobs").body()).jobs().getFirst();
        assertEquals(1, listed.epochsDone());
        assertEquals(EPOCHS, listed.epochs());
        Eventually.when("it is counted", () -> server.metric("fairlead_epochs_total") == 1);
    }

    @Test
    void heartbeatsThatBringNothingNewDisturbNobody() throws Exception {
        script.tell("hello", 0);
        int facts = server.detail(job).events().size();
        for (int step = 10; step <= 100; step += 10) {
            assertFalse(
                    script.tell(0, "heartbeat", 0, ",\"step\":" + step + ",\"stepSeconds\":0.1"));
        }
        assertEquals(facts, server.detail(job).events().size());
    }

    @Test
    void anyFirstReportSaysThatTheScriptIsThere() throws Exception {
        script.tell("heartbeat", 0);
        assertEquals(1, count("training-joined"));
    }

    @Test
    void theFirstReportMayAlreadyTellOfAnEpoch() throws Exception {
        script.tell("epoch-end", 3);
        assertEquals(3, server.detail(job).progress().epochsDone());
        assertEquals(0, count("training-joined"), "the epoch says the same");
    }

    @Test
    void theMostMemoryOfAnyRankIsKept() throws Exception {
        script.tell(0, "heartbeat", 0, ",\"gpuMemoryBytes\":1000000");
        script.tell(1, "heartbeat", 0, ",\"gpuMemoryBytes\":3000000");
        script.tell(0, "epoch-end", 1, ",\"gpuMemoryBytes\":2000000");
        assertEquals(3_000_000, server.detail(job).progress().gpuMemoryBytes());
        script.tell(1, "epoch-end", 1, ",\"gpuMemoryBytes\":4000000");
        assertEquals(4_000_000, server.detail(job).progress().gpuMemoryBytes());
        int facts = server.detail(job).events().size();
        script.tell(1, "heartbeat", 1, ",\"gpuMemoryBytes\":4000001");
        assertEquals(facts, server.detail(job).events().size(), "hardly more is no news");
    }

    @Test
    void aCheckpointMakesTheWorkSafe() throws Exception {
        script.tell(0, "checkpoint", 0, ",\"step\":50");
        assertNotNull(server.detail(job).progress().savedAt());
        assertEquals(1, count("checkpoint-saved"));
    }

    @Test
    void aCheckpointTellsHowMuchOfItsEpochIsSaved() throws Exception {
        script.tell("epoch-end", 1);
        script.tell(0, "checkpoint", 1, ",\"step\":5");
        assertEquals(0, saved(), "so soon after the last save it is no news");
        server.engine().end(job, 0);
        job = server.train(EPOCHS, 1, "");
        script = new Script(server, job);
        script.tell(0, "checkpoint", 0, ",\"step\":5");
        assertEquals(0.25, saved(), "of 640 samples in batches of 32");
    }

    @Test
    void aCheckpointOfMoreStepsThanWereDeclaredSaysNothingAboutItsEpoch() throws Exception {
        script.tell(0, "checkpoint", 0, ",\"step\":21");
        assertEquals(0, saved());
        assertNotNull(server.detail(job).progress().savedAt());
    }

    private double saved() throws Exception {
        return Snapshot.read(server.get("/v1/snapshot").body()).view().active().stream()
                .filter(each -> each.id().text().equals(job))
                .findFirst()
                .orElseThrow()
                .progress()
                .fraction();
    }

    @Test
    void epochsNeitherGoBackwardsNorAboveTheirNumber() throws Exception {
        script.tell("epoch-end", 5);
        int facts = server.detail(job).events().size();
        assertRefused(
                409,
                "conflict",
                "epochs go backwards: 4 done were reported, but 5 are known to be done",
                script.send(script.body(0, "epoch-end", 4, "")));
        assertRefused(
                409,
                "conflict",
                "21 epochs done were reported, but the job was submitted with 20",
                script.send(script.body(0, "epoch-end", 21, "")));
        assertRefused(409, "conflict", "21", script.send(script.body(0, "heartbeat", 21, "")));
        assertEquals(facts, server.detail(job).events().size());
        assertEquals(5, server.detail(job).progress().epochsDone());
    }

    @Test
    void aRefusedFirstReportDoesNotEvenSayThatTheScriptIsThere() throws Exception {
        assertRefused(409, "conflict", "21", script.send(script.body(0, "epoch-end", 21, "")));
        assertEquals(0, count("training-joined"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    not json                                                   |            | not valid JSON
                    []                                                         |            | must be an object
                    {"attempt":1,"kind":"hello","epoch":0,"colour":"red"}      | colour     | not a known field
                    {"kind":"hello","epoch":0}                                 | attempt    | is missing
                    {"attempt":0,"kind":"hello","epoch":0}                     | attempt    | at least 1, but is 0
                    {"attempt":1,"epoch":0}                                    | kind       | epoch-start
                    {"attempt":1,"kind":"bye","epoch":0}                       | kind       | but is 'bye'
                    {"attempt":1,"kind":"hello"}                               | epoch      | is missing
                    {"attempt":1,"kind":"hello","epoch":-1}                    | epoch      | at least 0
                    {"attempt":1,"kind":"epoch-end","epoch":0}                 | epoch      | at least 1
                    {"attempt":1,"kind":"hello","epoch":0,"rank":-1}           | rank       | at least 0
                    {"attempt":1,"kind":"hello","epoch":0,"step":-1}           | step       | must be 0
                    {"attempt":1,"kind":"hello","epoch":0.5}                   | epoch      | whole number
                    {"attempt":1,"kind":"epoch-end","epoch":1,"epochSeconds":-1}    | epochSeconds | 0 seconds to a year
                    {"attempt":1,"kind":"epoch-end","epoch":1,"epochSeconds":1e300} | epochSeconds | 0 seconds to a year
                    {"attempt":1,"kind":"epoch-end","epoch":1,"epochSeconds":1e999} | epochSeconds | 0 seconds to a year
                    {"attempt":1,"kind":"hello","epoch":0,"gpuMemoryBytes":9000000000000000000} | gpuMemoryBytes | must be 0 to
                    """)
    void whatCannotBeUnderstoodIsRefusedWithItsField(String body, String field, String words)
            throws Exception {
        var response = script.send(body);
        assertRefused(400, "invalid", words, response);
        assertEquals(field, Json.read(ErrorBody.class, response.body()).field());
        assertEquals(0, count("training-joined"));
    }

    @Test
    void aReportIsNeverLong() throws Exception {
        String padding = " ".repeat(100_000);
        assertRefused(413, "too-large", "64KiB", script.send(padding + "{}"));
    }

    @Test
    void onlyTheJobsOwnTokenMayReport() throws Exception {
        String other = server.train(EPOCHS, 1, "");
        String hello = script.body(0, "hello", 0, "");
        String target = "/v1/jobs/" + job + "/training";
        assertRefused(
                403,
                "forbidden",
                "that of another job",
                server.call(new Script(server, other).token(), "POST", target, hello));
        assertRefused(403, "forbidden", "not that of a job", server.post(target, hello));
        assertRefused(
                403, "forbidden", "not that of a job", server.call("x", "POST", target, hello));
        var bare =
                HttpRequest.newBuilder(URI.create(server.url() + target))
                        .POST(HttpRequest.BodyPublishers.ofString(hello));
        assertRefused(
                401, "unauthorized", "that 'fairlead user create' has printed", server.send(bare));
        assertEquals(0, count("training-joined"));
    }

    @Test
    void theTokenOfAJobOpensNoOtherDoor() throws Exception {
        for (Route<?> route : server.front().table()) {
            if (route.door() != Route.Door.PEOPLE) continue;
            String target =
                    route.path()
                            .replace("{id}", job)
                            .replace("{name}", "ann")
                            .replace("{port}", "1")
                            .replace("{token}", "laptop")
                            .replace("{secret}", "key")
                            .replace("{session}", "none");
            var response = server.call(script.token(), route.method(), target, "{}");
            assertRefused(403, "forbidden", "may only report on that job", response);
        }
        assertEquals("running", server.state(job));
    }

    @Test
    void aReportOnAnUnknownJobIsNotFound() throws Exception {
        String target = "/v1/jobs/train_1700000000_01234567/training";
        assertRefused(
                404,
                "not-found",
                "no job",
                server.call(script.token(), "POST", target, script.body(0, "hello", 0, "")));
    }

    @Test
    void aReportOnAFinishedJobIsGone() throws Exception {
        server.engine().end(job, 0);
        server.awaitState(job, "succeeded");
        assertRefused(410, "gone", "has ended", script.send(script.body(0, "epoch-end", 1, "")));
        assertEquals(0, server.detail(job).progress().epochsDone());
    }

    @Test
    void aReportOfAnotherAttemptIsRefused() throws Exception {
        assertRefused(
                409,
                "conflict",
                "there is no attempt 2",
                script.send(
                        script.body(0, "hello", 0, "").replace("\"attempt\":1", "\"attempt\":2")));
        String tried = server.train(EPOCHS, 1, ",\"retries\":3");
        var first = new Script(server, tried);
        first.tell("epoch-end", 2);
        server.engine().end(tried, 1);
        server.awaitState(tried, "queued");
        String late = first.body(0, "epoch-end", 3, "");
        assertRefused(410, "gone", "no attempt of " + tried + " runs now", first.send(late));
        server.awaitState(tried, "running");
        assertRefused(410, "gone", "attempt 1 of " + tried + " is over", first.send(late));
        assertEquals(2, server.detail(tried).progress().epochsDone());
        new Script(server, tried).tell("epoch-end", 3);
        assertEquals(3, server.detail(tried).progress().epochsDone());
    }

    @Test
    void aJobThatDoesNotTrainHasNothingToReport() throws Exception {
        String plain = server.submit("plain");
        server.awaitState(plain, "running");
        var its = new Script(server, plain);
        assertRefused(
                409,
                "conflict",
                "was not submitted as a training job",
                its.send(its.body(0, "hello", 0, "")));
        assertRefused(
                409,
                "conflict",
                "was not submitted as a training job",
                server.get("/v1/jobs/" + plain + "/profile"));
    }

    @Test
    void aLongTrainingShowsOnlyItsLatestReports() throws Exception {
        server.engine().end(job, 0);
        String longer = server.train(200, 1, "");
        var its = new Script(server, longer);
        for (int epoch = 1; epoch <= 120; epoch++) its.tell("epoch-end", epoch);
        assertEquals(
                "of 120 reports of its script the events show the last 50",
                server.detail(longer).notes().getLast());
        List<EventBody> events = server.detail(longer).events();
        assertEquals("submitted", events.getFirst().event());
        assertEquals("epoch 120", events.getLast().detail());
        assertEquals(
                JobRoutes.REPORTS_SHOWN_MAX,
                events.stream().filter(event -> event.event().equals("epoch-ended")).count());
        try (var stream = server.stream("/v1/jobs/" + longer + "/events", "Last-Event-ID", "122")) {
            assertTrue(
                    stream.next().orElseThrow().data().contains("epoch 120"),
                    "the stream has all of them");
        }
    }

    @Test
    void theProfileSaysWhatThisJobAndEarlierOnesHaveMeasured() throws Exception {
        script.tell(0, "epoch-end", 1, ",\"epochSeconds\":10,\"stepSeconds\":0.5");
        script.tell(0, "epoch-end", 2, ",\"epochSeconds\":12,\"gpuMemoryBytes\":5000000");
        assertEquals(
                List.of(new SpeedBody(1, 1, false, 11.0, 0.5, 2, 1.0, true)), profile(job).rows());
        assertEquals(5_000_000, profile(job).gpuMemoryBytes());
        server.engine().end(job, 0);
        server.awaitState(job, "succeeded");
        String wider = server.train(EPOCHS, 2, "");
        assertEquals(
                List.of(new SpeedBody(1, 1, false, 11.0, 0.5, 2, 1.0, false)),
                profile(wider).rows());
        new Script(server, wider).tell(0, "epoch-end", 1, ",\"epochSeconds\":5.5");
        assertEquals(
                List.of(
                        new SpeedBody(1, 1, false, 11.0, 0.5, 2, 1.0, false),
                        new SpeedBody(1, 2, false, 5.5, null, 1, 2.0, true)),
                profile(wider).rows());
    }

    private ProfileBody profile(String id) throws Exception {
        var response = server.get("/v1/jobs/" + id + "/profile");
        assertEquals(200, response.statusCode(), response.body());
        return Json.read(ProfileBody.class, response.body());
    }

    @Test
    void anEpochOfNoTimeIsCountedButNotMeasured() throws Exception {
        script.tell(0, "epoch-end", 1, ",\"epochSeconds\":0");
        assertEquals(1, server.detail(job).progress().epochsDone());
        assertEquals(List.of(), profile(job).rows());
    }
}
