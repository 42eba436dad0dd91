package fairlead.engines.azureml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engine.EngineException;
import fairlead.engines.azureml.TestService.Fault;
import fairlead.engines.azureml.rest.Doc;
import fairlead.job.Container;
import fairlead.job.Exit;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What happens to attempts when Azure lets them wait, refuses them, fails or forgets. */
class LifeTest {
    @TempDir Path folder;
    private TestService service;
    private Attempts attempts;

    @BeforeEach
    void open() throws Exception {
        service = TestService.start(folder.resolve("service"));
        attempts = new Attempts(service, folder.resolve("home"));
    }

    @AfterEach
    void close() {
        attempts.close();
        service.close();
        assertEquals(List.of(), service.mistakes);
    }

    private Doc body(Attempts.Launched launched) {
        return service.job(launched.name()).body.at("properties");
    }

    @Test
    void theComputeIsOneWideNode() throws Exception {
        var node = attempts.engine().nodes().getFirst();
        assertEquals("gpu-cluster", node.name());
        assertEquals(8, node.gpus().size());
        assertEquals("STANDARD_NC12", node.gpus().getFirst().type());
        assertEquals(48, node.cpus());
        assertTrue(node.ready());
    }

    /** Machines are whole: the second GPU of the one that runs is nobody's. */
    @Test
    void aMachineIsOneJobsAlone() throws Exception {
        service.isRunning = false;
        attempts.launch(attempts.effect("true", 1, 1, _ -> {}));
        assertEquals(7, attempts.engine().nodes().getFirst().gpus().size());
    }

    @Test
    void whatWaitsInAzuresQueueSaysWhyAndBoundsWhatIsSent() throws Exception {
        service.isRunning = false;
        var first = attempts.launch(attempts.effect("true"));
        var second = attempts.launch(attempts.effect("true"));
        service.job(first.name()).status("Queued");
        Eventually.when(
                "it says why",
                () ->
                        attempts.seen(first)
                                .flatMap(it -> it.trouble())
                                .orElse("")
                                .contains("only has 0 available node(s)"));
        assertTrue(attempts.engine().nodes().getFirst().ready());
        service.job(second.name()).status("Queued");
        Eventually.when("no more", () -> !attempts.engine().nodes().getFirst().ready());
        service.job(first.name()).start();
        Eventually.when("one more", () -> attempts.engine().nodes().getFirst().ready());
        assertEquals(OptionalInt.of(0), attempts.exit(first).code());
    }

    @Test
    void aGangIsSpreadOverAsFewMachinesAsHoldIt() throws Exception {
        var gang = attempts.effect("echo $RANK $CUDA_VISIBLE_DEVICES $MASTER_ADDR", 4, 1, _ -> {});
        attempts.launch(gang);
        assertEquals(OptionalInt.of(0), attempts.exit(gang, 3).code());
        assertEquals(2, body(gang).at("resources", "instanceCount").number());
        assertEquals("PyTorch", body(gang).at("distribution", "distributionType").text());
        assertEquals(2, body(gang).at("distribution", "processCountPerInstance").number());
        var log = attempts.engine().log(gang.attempt(), gang.task(3));
        assertEquals("3 1 localhost\n", new String(log.read(0, 100)));
    }

    @Test
    void aJobSaysWhatItsSpecSays() throws Exception {
        var launched =
                attempts.effect(
                        "echo $COLOUR '${{inputs.x}}'",
                        1,
                        0,
                        edit -> {
                            edit.environment = Map.of("COLOUR", "it's blue");
                            edit.timeLimit = Optional.of(Duration.ofHours(5));
                            edit.container =
                                    new Container(Optional.of("lab/torch:2"), List.of(), List.of());
                        });
        attempts.launch(launched);
        attempts.exit(launched);
        assertEquals("it's blue ${{inputs.x}}\n", attempts.log(launched));
        assertEquals("PT5H10M", body(launched).at("limits", "timeout").text());
        assertEquals("it's blue", body(launched).at("environmentVariables", "COLOUR").text());
        assertTrue(body(launched).at("environmentId").text().contains("/environments/fairlead-"));
    }

    @Test
    void aFailureWithoutAnExitCodeIsAzuresWord() throws Exception {
        service.isRunning = false;
        var launched = attempts.launch(attempts.effect("true"));
        service.job(launched.name()).status("Failed");
        var exit = attempts.exit(launched);
        assertEquals(OptionalInt.of(1), exit.code());
        assertTrue(exit.note().startsWith("Azure ML: "), exit.note());
    }

    @Test
    void errorsInWordsBecomeCodesOrLosses() throws Exception {
        assertEquals(
                OptionalInt.of(3),
                failed("UserError", "Command returned non-zero exit status 3.").code());
        assertEquals(OptionalInt.of(1), failed("UserError", "Image build failed.").code());
        assertTrue(
                failed("UserError", "PreemptionError: Nodes of this job got pre-empted.").isLost());
        assertTrue(failed("ServiceError", "InternalServerError").isLost());
    }

    private static Exit failed(String code, String message) {
        var error = new Doc(Map.of("code", code, "message", message));
        return Follower.failed(error, Instant.EPOCH);
    }

    @Test
    void aJobThatSomebodyElseCancelsIsLost() throws Exception {
        var launched = attempts.launch(attempts.effect("sleep 600"));
        Eventually.when("it runs", () -> attempts.seen(launched).orElseThrow().running());
        service.job(launched.name()).kill();
        service.job(launched.name()).cancel();
        var exit = attempts.exit(launched);
        assertFalse(exit.succeeded());
    }

    @Test
    void anEndedAddressIsAskedForAnew() throws Exception {
        Path go = folder.resolve("go");
        var launched =
                attempts.launch(
                        attempts.effect(
                                "echo one; until [ -e %s ]; do sleep 0.02; done; echo two"
                                        .formatted(go)));
        Eventually.when("it writes", () -> attempts.log(launched).equals("one\n"));
        service.addressFirst++;
        service.tokenFirst++;
        Files.createFile(go);
        attempts.exit(launched);
        assertEquals("one\ntwo\n", attempts.log(launched));
    }

    @Test
    void aJobOfOursThatNobodyKnowsIsCanceled() throws Exception {
        var launched = attempts.launch(attempts.effect("sleep 600"));
        attempts.engine().close();
        Files.delete(folder.resolve("home/live/" + launched.attempt().job() + ".1.attempt"));
        attempts.reopen();
        Eventually.when("it is canceled", () -> service.job(launched.name()).isEnded());
    }

    @Test
    void aPauseThatAzureAsksForIsKept() throws Exception {
        attempts.engine().nodes();
        service.faults = (_, _) -> Fault.THROTTLED_LONG;
        Eventually.when(
                "it says so",
                () -> {
                    try {
                        attempts.launch(attempts.effect("true"));
                        return false;
                    } catch (EngineException refused) {
                        return refused.getMessage().contains("has asked for patience");
                    }
                });
        int before = service.calls.values().stream().mapToInt(Number::intValue).sum();
        service.faults = (_, _) -> Fault.NONE;
        for (int i = 0; i < 20; i++) {
            try {
                attempts.launch(attempts.effect("true"));
            } catch (EngineException _) {
                // It waits.
            }
        }
        assertEquals(before, service.calls.values().stream().mapToInt(Number::intValue).sum());
    }

    @Test
    void aTaskWithMoreGpusThanAMachineHasIsRefused() throws Exception {
        attempts.engine().nodes();
        var spec = attempts.effect("true", 1, 3, _ -> {}).effect().job().spec();
        assertTrue(
                attempts.engine()
                        .terms()
                        .refuses(spec)
                        .orElse("")
                        .contains("has 2 GPUs on each machine"));
    }
}
