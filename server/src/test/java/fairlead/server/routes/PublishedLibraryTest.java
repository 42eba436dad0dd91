package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;
import fairlead.api.ProfileBody;
import fairlead.api.SubmitAnswer;
import fairlead.server.Script;
import fairlead.server.TestServer;
import fairlead.testing.Eventually;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The calls of the published training library, as it makes them. */
final class PublishedLibraryTest {
    private static final String PROFILE =
            """
            {"jobid":"%s","timestamp":"2026-11-15T14:03:00.123456","iternum":20,"nodelist":"['box']",\
            "numgpu":1,"rank":%d,"meandur":0.25,"gpumem":%s%s}\
            """;

    @TempDir Path folder;
    private TestServer server;
    private String job;
    private Script script;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder);
        job = server.train(20, 1, "");
        script = new Script(server, job);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> profiling(int rank, int memory, String more) throws Exception {
        return script.published(
                "/profiling/", PROFILE.formatted(script.uuid(), rank, memory, more));
    }

    private static void assertRefused(int status, String code, HttpResponse<String> response) {
        assertEquals(status, response.statusCode(), response.body());
        assertEquals(code, Json.read(ErrorBody.class, response.body()).code());
    }

    @Test
    void theAnswerToAQuestionIsOneDigit() throws Exception {
        var response = script.published("/has_to_stop/", "");
        assertEquals(200, response.statusCode());
        assertEquals("0", response.body());
    }

    @Test
    void anEpochIsMeasuredByTheProfileBeforeItsEnd() throws Exception {
        assertEquals(200, profiling(0, 0, "").statusCode());
        for (int rank = 0; rank < 2; rank++) {
            assertEquals(200, profiling(rank, 1_500, ",\"epochDur\":8.5").statusCode());
            assertEquals(200, script.published("/end_epoch/", "{\"done\":1}").statusCode());
        }
        var progress = server.detail(job).progress();
        assertEquals(1, progress.epochsDone());
        assertEquals(1_500L << 20, progress.gpuMemoryBytes());
        var profile =
                Json.read(ProfileBody.class, server.get("/v1/jobs/" + job + "/profile").body());
        var row = profile.rows().getFirst();
        assertEquals(8.5, row.epochSeconds());
        assertEquals(0.25, row.stepSeconds());
        assertEquals(1, row.epochs());
    }

    @Test
    void anEpochWithoutAProfileIsStillCounted() throws Exception {
        script.published("/end_epoch/", "{\"done\":2,\"more\":[1,{}]}");
        assertEquals(2, server.detail(job).progress().epochsDone());
        assertRefused(409, "conflict", script.published("/end_epoch/", "{\"done\":1}"));
        assertRefused(409, "conflict", script.published("/end_epoch/", "{\"done\":21}"));
        assertEquals(2, server.detail(job).progress().epochsDone());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "[]",
                "{",
                "{}",
                "{\"done\":\"1\"}",
                "{\"done\":0}",
                "{\"done\":1.5}",
                "null"
            })
    void whatCannotBeAnEpochIsRefused(String body) throws Exception {
        assertRefused(400, "invalid", script.published("/end_epoch/", body));
        assertEquals(0, server.detail(job).progress().epochsDone());
    }

    @Test
    void whatTheLibraryCouldNotMeasureIsPassedOver() throws Exception {
        String odd =
                "{\"gpumem\":\"1024 MiB\",\"meandur\":null,\"epochDur\":-1,\"iternum\":[[\"]\"]]}";
        assertEquals(200, script.published("/profiling/", odd).statusCode());
        assertRefused(400, "invalid", script.published("/profiling/", "{\"gpumem\":}"));
        script.published("/end_epoch/", "{\"done\":1}");
        assertEquals(1, server.detail(job).progress().epochsDone());
    }

    @Test
    void d10AScriptIsSubmittedByThePostOfTheFirstGuide() throws Exception {
        String body =
                """
                {"jobName": "test-image-1", "dockerImage": "myimage:version",
                "scriptPath": "/home/works/test.py", "directoryToMount": "%s", "batchSize": 128,
                "trainingSetSize": 45000, "maxEpochs": 3, "isSingleGPU": true,
                "disableGPUSharing": true, "estimatedMemory": 1100, "username": "%s"}\
                """;
        var answer = server.post("/submit", body.formatted(folder, "bob"));
        assertEquals(201, answer.statusCode(), answer.body());
        String made = Json.read(SubmitAnswer.class, answer.body()).ids().getFirst();
        assertTrue(made.startsWith("test-image-1_"), made);
        var detail = server.detail(made);
        assertEquals("bob", detail.job().owner());
        assertEquals(List.of(folder + ":/exp"), detail.spec().mounts());
        assertEquals(3, detail.spec().training().epochs());
        assertEquals(1, detail.spec().training().gpusMax());
        assertRefused(400, "invalid", server.post("/submit", "{\"jobName\":\"a\"}"));
        assertRefused(400, "invalid", server.post("/submit", "{\"epochs\":1}"));
        assertRefused(400, "invalid", server.post("/submit", body.formatted(folder, "../bob")));
        assertRefused(401, "unauthorized", server.call("wrong", "POST", "/submit", body));
    }

    @Test
    void aScriptThatNeverReportsIsToldWhatToSet() throws Exception {
        String running = "the script has not reported yet: it must use the library";
        assertTrue(server.detail(job).notes().getLast().startsWith(running));
        server.engine().end(job, 0);
        server.awaitState(job, "succeeded");
        String over = "the script has reported no epoch: it must use the library";
        String words = server.detail(job).notes().getLast();
        assertTrue(words.startsWith(over), words);
        assertTrue(words.contains("FAIRLEAD_URL and FAIRLEAD_JOB_TOKEN"), words);
        assertTrue(words.contains("KubeProfiler(HOST, HOST)"), words);
        Eventually.when(
                "the log says it too",
                () -> server.get("/v1/jobs/" + job + "/logs").body().contains("fairlead: " + over));
    }

    @Test
    void aScriptThatReportsIsToldNothing() throws Exception {
        script.published("/end_epoch/", "{\"done\":20}");
        assertFalse(server.detail(job).notes().toString().contains("library"));
        server.engine().end(job, 0);
        server.awaitState(job, "succeeded");
        assertFalse(server.detail(job).notes().toString().contains("library"));
        String silent = server.train(20, 1, "");
        server.engine().end(silent, 3);
        server.awaitState(silent, "failed");
        assertFalse(
                server.detail(silent).notes().toString().contains("library"),
                "it has failed for a reason of its own");
    }

    @Test
    void aUuidThatIsNobodysIsNotFound() throws Exception {
        for (String wrong :
                new String[] {"00000000-0000-4000-8000-000000000000", job, script.token(), "%20"}) {
            assertRefused(404, "not-found", server.get("/has_to_stop/" + wrong));
            assertRefused(404, "not-found", server.post("/end_epoch/" + wrong, "{\"done\":1}"));
            assertRefused(404, "not-found", server.post("/profiling/" + wrong, "{}"));
        }
        assertEquals(0, server.detail(job).progress().epochsDone());
    }

    @Test
    void aJobThatHasEndedIsGone() throws Exception {
        server.engine().end(job, 0);
        server.awaitState(job, "succeeded");
        assertRefused(410, "gone", script.published("/has_to_stop/", ""));
        assertRefused(410, "gone", script.published("/end_epoch/", "{\"done\":1}"));
    }

    @Test
    void aServerThatWasStartedAgainKnowsTheSameUuids() throws Exception {
        var engine = server.engine();
        server.close();
        server = new TestServer(folder, engine);
        script = script.talkingTo(server);
        assertEquals(200, script.published("/end_epoch/", "{\"done\":1}").statusCode());
        assertEquals(1, server.detail(job).progress().epochsDone());
    }

    @Test
    void noLogHasAUuid() throws Exception {
        var lines = new CopyOnWriteArrayList<String>();
        var access = Logger.getLogger("fairlead.access");
        var handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord record) {
                        lines.add(new SimpleFormatter().formatMessage(record));
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        Level before = access.getLevel();
        access.setLevel(Level.ALL);
        access.addHandler(handler);
        try {
            script.published("/has_to_stop/", "");
            server.get("/has_to_stop/" + script.uuid() + "/more");
            Eventually.when(
                    "both calls are logged",
                    () ->
                            lines.containsAll(
                                    List.of(
                                            "GET /has_to_stop/UUID 200",
                                            "GET /has_to_stop/UUID/more 404")));
        } finally {
            access.removeHandler(handler);
            access.setLevel(before);
        }
        assertFalse(lines.toString().contains(script.uuid()));
    }

    @Test
    void neitherKeyIsShownToAnyone() throws Exception {
        script.tell("hello", 0);
        for (String target :
                new String[] {
                    "/v1/jobs",
                    "/v1/jobs/" + job,
                    "/v1/jobs/" + job + "/spec",
                    "/v1/jobs/" + job + "/why",
                    "/v1/jobs/" + job + "/profile",
                    "/v1/snapshot",
                    "/v1/nodes",
                    "/v1/server",
                    "/metrics"
                }) {
            var response = server.get(target);
            assertEquals(200, response.statusCode(), target);
            assertFalse(response.body().contains(script.uuid()), target);
            assertFalse(response.body().contains(script.token()), target);
        }
        assertTrue(server.get("/v1/jobs/" + job + "/spec").body().contains("train.py"));
    }
}
