package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import fairlead.engines.kubernetes.PodReading.NodeHealth;
import fairlead.engines.kubernetes.PodState.Trouble;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/** What a pod that waits complains of, and which signs of trouble are none. */
class PodTroubleTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private static PodBuilder pod(String phase) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .endMetadata()
                .withNewSpec()
                .withNodeName("n1")
                .addNewContainer()
                .withName(Marks.CONTAINER)
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase(phase)
                .endStatus();
    }

    private static PodState state(Pod pod, NodeHealth node) {
        return new PodReading(pod, node, false, NOW).state();
    }

    private static Optional<Trouble> trouble(String reason, String message) {
        Pod pod =
                pod("Pending")
                        .editStatus()
                        .addNewContainerStatus()
                        .withName(Marks.CONTAINER)
                        .withNewState()
                        .withNewWaiting(message, reason)
                        .endState()
                        .endContainerStatus()
                        .endStatus()
                        .build();
        return assertInstanceOf(PodState.Waiting.class, state(pod, NodeHealth.READY)).trouble();
    }

    @ParameterizedTest
    @CsvSource({
        "InvalidImageName, bad name, HOPELESS, InvalidImageName: bad name",
        "ErrImagePull, no such image, JOB, ErrImagePull: no such image",
        "ImagePullBackOff,, JOB, ImagePullBackOff",
        "CreateContainerConfigError, no secret, JOB, CreateContainerConfigError: no secret",
        "ContainerCreating, no volume, JOB, ContainerCreating: no volume",
    })
    void aTroubleHasItsKindAndItsWords(
            String reason, String message, Trouble.Kind kind, String words) {
        assertEquals(Optional.of(new Trouble(kind, words)), trouble(reason, message));
    }

    @ParameterizedTest
    @CsvSource({"ContainerCreating,", "PodInitializing, soon"})
    void aContainerThatIsBeingMadeHasNone(String reason, String message) {
        assertEquals(Optional.empty(), trouble(reason, message));
    }

    /** The condition stays after a drain that was called off. */
    @Test
    void aDisruptionThatDoesNotHoldChangesNothing() {
        Pod pod =
                pod("Failed")
                        .editStatus()
                        .addNewContainerStatus()
                        .withName(Marks.CONTAINER)
                        .withNewState()
                        .withNewTerminated()
                        .withExitCode(7)
                        .withFinishedAt(NOW.toString())
                        .endTerminated()
                        .endState()
                        .endContainerStatus()
                        .addNewCondition()
                        .withType("DisruptionTarget")
                        .withStatus("False")
                        .withReason("DeletionByTaintManager")
                        .endCondition()
                        .endStatus()
                        .build();
        var ended = assertInstanceOf(PodState.Ended.class, state(pod, NodeHealth.READY));
        assertEquals(OptionalInt.of(7), ended.exit().code());
    }

    /** Who would wait for its log would wait for ever. */
    @Test
    void aPodOfANodeThatIsGoneHasNoLogToWaitFor() {
        Pod pod =
                pod("Running")
                        .editStatus()
                        .addNewContainerStatus()
                        .withName(Marks.CONTAINER)
                        .withNewState()
                        .withNewRunning()
                        .endRunning()
                        .endState()
                        .endContainerStatus()
                        .endStatus()
                        .build();
        assertFalse(assertInstanceOf(PodState.Ended.class, state(pod, NodeHealth.GONE)).hasLog());
    }
}
