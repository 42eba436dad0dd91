package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engines.kubernetes.PodReading.NodeHealth;
import fairlead.job.Exit;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.OptionalInt;

/** What pods' states mean, those that a test kubelet never reports among them. */
class PodReadingTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private static PodBuilder pod() {
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
                .withPhase("Pending")
                .endStatus();
    }

    private static Pod ended(int code, String reason, Instant at) {
        return pod().editStatus()
                .withPhase(code == 0 ? "Succeeded" : "Failed")
                .addNewContainerStatus()
                .withName(Marks.CONTAINER)
                .withNewState()
                .withNewTerminated()
                .withExitCode(code)
                .withReason(reason)
                .withFinishedAt(at.toString())
                .endTerminated()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
    }

    private static Pod running() {
        return pod().editStatus()
                .withPhase("Running")
                .addNewContainerStatus()
                .withName(Marks.CONTAINER)
                .withNewState()
                .withNewRunning()
                .endRunning()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
    }

    private static Pod deleted(Pod pod, Instant due, long grace) {
        return new PodBuilder(pod)
                .editMetadata()
                .withDeletionTimestamp(due.toString())
                .withDeletionGracePeriodSeconds(grace)
                .endMetadata()
                .build();
    }

    private static PodState read(Pod pod, NodeHealth node, boolean isStopOrdered) {
        return new PodReading(pod, node, isStopOrdered, NOW).state();
    }

    private static Exit exit(Pod pod, NodeHealth node, boolean isStopOrdered) {
        return assertInstanceOf(PodState.Ended.class, read(pod, node, isStopOrdered)).exit();
    }

    @Test
    void anEndBeforeADeletionKeepsItsCode() {
        Pod pod = deleted(ended(5, "Error", NOW.minusSeconds(60)), NOW, 30);
        assertEquals(OptionalInt.of(5), exit(pod, NodeHealth.READY, false).code());
        assertFalse(exit(pod, NodeHealth.READY, true).stopped());
    }

    @Test
    void anEndAfterADeletionIsAStopIfItWasOursAndALossIfNot() {
        Pod pod = deleted(ended(143, "Error", NOW), NOW.plusSeconds(29), 30);
        assertTrue(exit(pod, NodeHealth.READY, true).stopped());
        assertTrue(exit(pod, NodeHealth.READY, false).isLost());
    }

    @Test
    void aPodThatItsNodeRefusesIsLost() {
        Pod pod =
                pod().editStatus()
                        .withPhase("Failed")
                        .withReason("UnexpectedAdmissionError")
                        .withMessage("Allocate failed due to no GPU")
                        .endStatus()
                        .build();
        Exit exit = exit(pod, NodeHealth.READY, false);
        assertTrue(exit.isLost());
        assertEquals(
                "the node n1 did not take its pod: UnexpectedAdmissionError: Allocate failed due"
                        + " to no GPU",
                exit.note());
        assertTrue(exit(pod, NodeHealth.READY, true).stopped());
    }

    @Test
    void aPreemptedPodIsLostWithTheConditionsReason() {
        Pod pod =
                new PodBuilder(ended(143, "Error", NOW))
                        .editStatus()
                        .addNewCondition()
                        .withType("DisruptionTarget")
                        .withStatus("True")
                        .withReason("PreemptionByScheduler")
                        .endCondition()
                        .endStatus()
                        .build();
        assertEquals(
                "its pod was taken away: PreemptionByScheduler",
                exit(pod, NodeHealth.READY, false).note());
    }

    @Test
    void aPodDeletedBeforeItStartedHasEndedOnceNobodyWillStartIt() {
        Pod bound = deleted(pod().build(), NOW.plusSeconds(10), 30);
        assertInstanceOf(PodState.Waiting.class, read(bound, NodeHealth.READY, true));
        Pod let = deleted(pod().build(), NOW, 0);
        assertEquals(OptionalInt.of(143), exit(let, NodeHealth.READY, true).code());
        assertTrue(exit(let, NodeHealth.READY, false).isLost());
    }

    @Test
    void aRunningPodOnADeadNodeIsLostWhenItsClusterDeletesIt() {
        assertInstanceOf(PodState.Running.class, read(running(), NodeHealth.NOT_READY, false));
        Pod pod = deleted(running(), NOW.plusSeconds(30), 30);
        assertTrue(exit(pod, NodeHealth.NOT_READY, false).isLost());
        assertInstanceOf(PodState.Running.class, read(pod, NodeHealth.READY, false));
        // Our own stop waits for its grace first: the node may come back.
        assertInstanceOf(PodState.Running.class, read(pod, NodeHealth.NOT_READY, true));
        Pod overdue = deleted(running(), NOW.minus(Duration.ofMinutes(2)), 30);
        assertTrue(exit(overdue, NodeHealth.NOT_READY, true).isLost());
    }

    @Test
    void aPodWithoutRoomMayWaitOnlyWhereTheSchedulerMakesRoomForIt() {
        Pod pod =
                pod().editSpec()
                        .withNodeName(null)
                        .endSpec()
                        .editStatus()
                        .addNewCondition()
                        .withType("PodScheduled")
                        .withStatus("False")
                        .withReason("Unschedulable")
                        .withMessage("0/1 nodes are available: 1 Insufficient nvidia.com/gpu")
                        .endCondition()
                        .endStatus()
                        .build();
        assertEquals(PodState.Trouble.Kind.PLACE, trouble(pod).kind());
        pod.getStatus().setNominatedNodeName("n1");
        assertEquals(PodState.Trouble.Kind.SOON, trouble(pod).kind());
    }

    private static PodState.Trouble trouble(Pod pod) {
        return assertInstanceOf(PodState.Waiting.class, read(pod, NodeHealth.READY, false))
                .trouble()
                .orElseThrow();
    }

    @Test
    void onlyTheTasksOwnContainerCounts() {
        var pod =
                new PodBuilder(ended(3, "Error", NOW))
                        .editStatus()
                        .withPhase("Running")
                        .addNewContainerStatusLike(
                                running().getStatus().getContainerStatuses().getFirst())
                        .withName("istio-proxy")
                        .endContainerStatus()
                        .endStatus()
                        .build();
        pod.getStatus().getContainerStatuses().sort(Comparator.comparing(ContainerStatus::getName));
        assertEquals(OptionalInt.of(3), exit(pod, NodeHealth.READY, false).code());
        Pod beside =
                new PodBuilder(running())
                        .editStatus()
                        .editFirstContainerStatus()
                        .withName("istio-proxy")
                        .endContainerStatus()
                        .endStatus()
                        .build();
        assertInstanceOf(PodState.Waiting.class, read(beside, NodeHealth.READY, false));
    }

    @Test
    void aPodOnANodeThatIsGoneIsLost() {
        assertEquals("its node n1 is gone", exit(running(), NodeHealth.GONE, false).note());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "127 | exec: \"pyhton\": executable file not found in $PATH: unknown",
                "127 | exec: \"/x\": stat /x: no such file or directory: unknown",
                "126 | exec: \"/etc\": permission denied: unknown",
                "128 | chdir to cwd (\"/x\") set in config.json failed: no such file or directory"
            })
    void aProgramThatCannotBeBegunHasTheCodeOfAShell(int code, String message) {
        Pod pod =
                new PodBuilder(ended(128, "StartError", NOW))
                        .editStatus()
                        .editFirstContainerStatus()
                        .editState()
                        .editTerminated()
                        .withMessage(message)
                        .endTerminated()
                        .endState()
                        .endContainerStatus()
                        .endStatus()
                        .build();
        Exit exit = exit(pod, NodeHealth.READY, false);
        assertEquals(OptionalInt.of(code), exit.code());
        assertEquals(message, exit.note());
    }
}
