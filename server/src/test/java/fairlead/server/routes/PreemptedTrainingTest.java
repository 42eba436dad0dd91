package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.Setup;
import fairlead.server.Script;
import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.server.snapshot.Snapshot;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/**
 * A training job of ann that must make room for bob: all its ranks stop at the same safe point, and
 * nothing is lost.
 */
final class PreemptedTrainingTest {
    private static final int EPOCHS = 20;

    @TempDir Path folder;
    private final TestEngine engine = new TestEngine(4);
    private TestServer server;
    private String job;
    private Script script;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder, engine);
        server.person("bob", "{}");
        String other = server.submit(plain("ann"), 201).ids().getFirst();
        server.awaitState(other, "running");
        job = server.train(EPOCHS, 2, ",\"priority\":-1");
        script = new Script(server, job);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String plain(String owner) {
        return "{\"as\":\"%s\",\"jobs\":[{\"command\":[\"true\"],\"gpus\":2}]}".formatted(owner);
    }

    /** Bob holds fewer GPUs than ann, so the lesser of her jobs is asked to stop. */
    private String bobsJob() throws Exception {
        String bobs = server.submit(plain("bob"), 201).ids().getFirst();
        server.awaitState(job, "stopping");
        return bobs;
    }

    /** Another server takes over, as after a crash: it remembers only what is durable. */
    private void restart() throws Exception {
        server.close();
        server = new TestServer(folder, engine);
        script = script.talkingTo(server);
    }

    @Test
    void nobodyStopsUnlessSomebodyNeedsThePlace() throws Exception {
        for (int epoch = 0; epoch < 3; epoch++) {
            assertFalse(script.tell("epoch-start", epoch));
            assertFalse(script.tell(0, "checkpoint", epoch, ",\"step\":10"));
            assertFalse(script.tell("epoch-end", epoch + 1));
        }
        assertEquals(0, server.metric("fairlead_preemptions_at_checkpoint_total"));
    }

    @Test
    void aScriptThatNeverReportedIsStoppedByForce() throws Exception {
        server.submit(plain("bob"), 201);
        server.awaitState(job, "queued");
        assertEquals(0, server.metric("fairlead_preemptions_at_checkpoint_total"));
    }

    @Test
    void allRanksStopBeforeTheSameEpoch() throws Exception {
        for (int rank = 0; rank < 2; rank++) script.tell(rank, "epoch-end", 3, "");
        assertFalse(script.tell(0, "epoch-start", 3, ""));
        bobsJob();
        assertFalse(script.tell(1, "epoch-start", 3, ""), "rank 0 has gone on here");
        assertTrue(script.tell(0, "heartbeat", 3, ",\"step\":10"), "a wish is no secret");
        assertTrue(script.tell(0, "epoch-end", 4, ""));
        assertTrue(script.tell(0, "epoch-start", 4, ""));
        assertTrue(script.tell(1, "epoch-end", 4, ""));
        assertTrue(script.tell(1, "epoch-start", 4, ""));
        assertTrue(script.tell(0, "epoch-start", 4, ""), "a repeat gets the same answer");
        Eventually.when(
                "it is counted",
                () -> server.metric("fairlead_preemptions_at_checkpoint_total") == 1);
    }

    @Test
    void allRanksStopAtTheSameCheckpoint() throws Exception {
        assertFalse(script.tell(0, "epoch-start", 0, ""));
        assertFalse(script.tell(1, "epoch-start", 0, ""));
        assertFalse(script.tell(0, "checkpoint", 0, ",\"step\":100"));
        bobsJob();
        assertFalse(script.tell(1, "checkpoint", 0, ",\"step\":100"), "rank 0 has gone on here");
        assertTrue(script.tell(1, "checkpoint", 0, ",\"step\":200"));
        assertTrue(script.tell(0, "checkpoint", 0, ",\"step\":200"));
    }

    @Test
    void theLastEpochIsAlwaysDoneToItsEnd() throws Exception {
        script.tell("epoch-end", EPOCHS - 1);
        bobsJob();
        assertFalse(script.tell("epoch-start", EPOCHS - 1));
        assertTrue(
                script.tell(0, "checkpoint", EPOCHS - 1, ",\"step\":5"),
                "inside of it nothing is lost at a checkpoint");
        script.tell("epoch-end", EPOCHS);
        assertFalse(script.tell(0, "checkpoint", EPOCHS, ",\"step\":5"), "all is done");
        engine.end(job, 0);
        server.awaitState(job, "succeeded");
    }

    @Test
    void d9AStoppedTrainingIsQueuedWithAReceiptAndGoesOnWhereItWas() throws Exception {
        assertEquals("FALSE", engine.environment(job).get("JOB_RESTARTED"));
        script.tell("epoch-end", 7);
        String bobs = bobsJob();
        String reason = server.detail(job).job().reason();
        assertTrue(reason.endsWith("; stops at its next checkpoint"), reason);
        assertTrue(script.tell("epoch-end", 8));
        assertTrue(script.tell("epoch-start", 8));
        engine.end(job, 0);
        server.awaitState(bobs, "running");
        var detail = server.detail(job);
        assertEquals("queued", detail.job().state());
        assertEquals(8, detail.job().epochsDone());
        assertEquals(0, detail.setbacks().lostSeconds());
        var receipt = detail.setbacks().receipts().getFirst();
        assertEquals(bobs, receipt.beneficiary());
        assertEquals("bob holds fewer GPUs than ann", receipt.why());
        assertLogSays(1, "asked to stop at its next checkpoint for " + bobs);
        assertLogSays(1, "lost nothing: it stopped at a checkpoint after epoch 8 of 20\n");
        engine.end(bobs, 0);
        server.awaitState(job, "running");
        var environment = engine.environment(job);
        assertEquals("TRUE", environment.get("JOB_RESTARTED"));
        assertEquals("8", environment.get("EPOCHS_DONE"));
        assertEquals(script.uuid(), environment.get("JOB_UUID"));
        assertFalse(new Script(server, job).tell("epoch-start", 8), "another attempt");
    }

    private void assertLogSays(int attempt, String words) throws Exception {
        Eventually.when(
                "the log says: " + words,
                () ->
                        server.get("/v1/jobs/" + job + "/logs?attempt=" + attempt)
                                .body()
                                .contains(words));
    }

    @Test
    void aSnapshotOfAStoppingTrainingCanBePlannedAgain() throws Exception {
        script.tell(0, "epoch-end", 3, ",\"epochSeconds\":0.001");
        bobsJob();
        View view = Snapshot.read(server.get("/v1/snapshot").body()).view();
        Job again =
                view.active().stream()
                        .filter(each -> each.id().text().equals(job))
                        .findFirst()
                        .orElseThrow();
        assertEquals(EPOCHS, again.spec().training().orElseThrow().epochs());
        assertEquals(3, again.progress().epochsDone());
        assertEquals(
                0.001,
                view.foresight()
                        .profile(again)
                        .speed(Setup.alone(1, 2))
                        .orElseThrow()
                        .epochSeconds());
    }

    @Test
    void afterARestartNoRankStopsWhereAnotherMayHaveGoneOn() throws Exception {
        script.tell(0, "epoch-end", 3, "");
        assertFalse(script.tell(0, "epoch-start", 3, ""));
        restart();
        bobsJob();
        assertFalse(script.tell(1, "epoch-start", 3, ""), "rank 0 was told so by another server");
        script.tell(1, "epoch-end", 4, "");
        assertTrue(script.tell(1, "epoch-start", 4, ""));
        assertTrue(script.tell(0, "epoch-start", 4, ""));
    }

    @Test
    void afterARestartAllRanksStopWhereAnotherHasStopped() throws Exception {
        script.tell(0, "epoch-end", 3, "");
        bobsJob();
        script.tell(0, "epoch-end", 4, "");
        assertTrue(script.tell(0, "epoch-start", 4, ""));
        restart();
        assertTrue(script.tell(1, "epoch-end", 4, ""));
        assertTrue(script.tell(1, "epoch-start", 4, ""));
    }

    @Test
    void thePublishedLibraryIsToldToStopInAllItsRanks() throws Exception {
        assertEquals("0", published("/has_to_stop/", ""), "it says hello with its first question");
        published("/end_epoch/", "{\"done\":1}");
        assertEquals("0", published("/has_to_stop/", ""));
        String bobs = bobsJob();
        assertEquals("0", published("/has_to_stop/", ""), "the other rank has gone on here");
        published("/end_epoch/", "{\"done\":2}");
        assertEquals("1", published("/has_to_stop/", ""));
        published("/end_epoch/", "{\"done\":2}");
        assertEquals("1", published("/has_to_stop/", ""), "the other rank too");
        engine.end(job, 0);
        server.awaitState(bobs, "running");
        assertEquals(2, server.detail(job).job().epochsDone());
        assertEquals("queued", server.state(job));
    }

    @Test
    void thePublishedLibraryIsNotStoppedInTheLastEpoch() throws Exception {
        published("/end_epoch/", "{\"done\":" + (EPOCHS - 1) + "}");
        bobsJob();
        assertEquals("0", published("/has_to_stop/", ""));
    }

    private String published(String route, String body) throws Exception {
        var response = script.published(route, body);
        assertEquals(200, response.statusCode(), response.body());
        return response.body();
    }
}
