package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engines.kubernetes.PodReading.NodeHealth;
import fairlead.job.Exit;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;

/** What the end of a container means: whose doing it was, by clocks that differ, and memory. */
class PodEndTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final long GRACE_SECONDS = 30;

    private static Pod ended(int code, String reason, Instant at, Map<String, Quantity> limits) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .endMetadata()
                .withNewSpec()
                .withNodeName("n1")
                .addNewContainer()
                .withName(Marks.CONTAINER)
                .withNewResources()
                .withLimits(limits)
                .endResources()
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Failed")
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

    /** Deletion was asked for at NOW, by the clock of the API server. */
    private static Exit afterDeletion(int code, Instant at, boolean isOurs) {
        Pod pod =
                new PodBuilder(ended(code, "Error", at, Map.of()))
                        .editMetadata()
                        .withDeletionTimestamp(NOW.plusSeconds(GRACE_SECONDS).toString())
                        .withDeletionGracePeriodSeconds(GRACE_SECONDS)
                        .endMetadata()
                        .build();
        return exit(pod, isOurs);
    }

    private static Exit exit(Pod pod, boolean isStopOrdered) {
        var reading = new PodReading(pod, NodeHealth.READY, isStopOrdered, NOW.plusSeconds(5));
        return assertInstanceOf(PodState.Ended.class, reading.state()).exit();
    }

    @Test
    void aNodeWhoseClockIsTwoSecondsBehindStillObeysAStop() {
        assertTrue(afterDeletion(143, NOW.minusSeconds(2), true).stopped());
        assertTrue(afterDeletion(143, NOW.minusSeconds(2), false).isLost());
    }

    @Test
    void anEndLongerBeforeTheDeletionIsTheTasksOwn() {
        for (boolean isOurs : new boolean[] {true, false}) {
            Exit exit = afterDeletion(5, NOW.minusSeconds(3), isOurs);
            assertEquals(OptionalInt.of(5), exit.code());
            assertFalse(exit.stopped());
        }
    }

    @Test
    void aTaskThatHadToBeKilledIsReportedSo() {
        Exit killed = afterDeletion(137, NOW.plusSeconds(30), true);
        assertEquals("it did not end within its grace, so it was killed", killed.note());
        assertEquals("", afterDeletion(143, NOW.plusSeconds(1), true).note());
    }

    @Test
    void aTaskOverItsOwnMemoryIsOutOfMemory() {
        Exit exit =
                exit(ended(137, "OOMKilled", NOW, Map.of("memory", new Quantity("1Gi"))), false);
        assertTrue(exit.outOfMemory());
        assertEquals(OptionalInt.of(137), exit.code());
        assertEquals("it was killed because it needed more than its memory of 1Gi", exit.note());
    }

    /** A retry with more memory would not help, so it is not the task that ran out. */
    @Test
    void aTaskThatItsNodeHadNoMemoryForIsNot() {
        Exit exit = exit(ended(137, "OOMKilled", NOW, Map.of()), false);
        assertFalse(exit.outOfMemory());
        assertEquals("it was killed because its node ran out of memory", exit.note());
    }

    @Test
    void anOrdinaryFailureUnderAMemoryLimitIsNeither() {
        Exit exit = exit(ended(1, "Error", NOW, Map.of("memory", new Quantity("1Gi"))), false);
        assertFalse(exit.outOfMemory());
        assertEquals("", exit.note());
    }
}
