package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.Gpu;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How nodes are counted. */
class CapacityTest {
    private static final String SERVER = "s1";

    private static Node node(int gpus) {
        return TestNode.withGpus("n1", gpus).object(Optional.empty(), 0);
    }

    private static Pod pod(String name, int gpus) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNodeName("n1")
                .addNewContainer()
                .withNewResources()
                .addToLimits(TaskPods.GPU, new Quantity("" + gpus))
                .endResources()
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .endStatus()
                .build();
    }

    private static Pod ours(String gpus) {
        return new PodBuilder(pod("ours", 1))
                .editMetadata()
                .addToLabels(Marks.SERVER, SERVER)
                .addToAnnotations(Marks.GPUS, gpus)
                .addToAnnotations(Marks.NODE, "n1")
                .addToFinalizers(Marks.FINALIZER)
                .endMetadata()
                .build();
    }

    private static List<Integer> slots(Node node, Pod... pods) {
        return new Capacity(SERVER, List.of(), Map.of(), List.of(pods))
                .node(node).gpus().stream().map(Gpu::index).toList();
    }

    @Test
    void othersTakeTheHighestSlotsThatNoneOfOursHolds() {
        assertEquals(List.of(0, 1, 2, 3), slots(node(4)));
        assertEquals(List.of(0, 1), slots(node(4), pod("a", 1), pod("b", 1)));
        assertEquals(List.of(0, 3), slots(node(4), pod("a", 2), ours("3")));
        assertEquals(List.of(0, 1, 2, 3), slots(node(4), ours("0,1")));
    }

    @Test
    void aGpuThatHasFallenIllIsNotCountedWhoeverHoldsTheLastSlot() {
        assertEquals(List.of(0, 1, 3), slots(node(3), ours("3")));
        assertEquals(List.of(0, 3), slots(node(3), ours("3"), pod("a", 1)));
        assertEquals(List.of(2, 3), slots(node(1), ours("2,3")));
    }

    @Test
    void whoHasTakenAPlaceByItsRankCountsThereBeforeItIsBound() {
        Pod coming =
                new PodBuilder(pod("a", 1))
                        .editSpec()
                        .withNodeName(null)
                        .endSpec()
                        .editStatus()
                        .withPhase("Pending")
                        .endStatus()
                        .build();
        assertEquals(List.of(0, 1), slots(node(2), coming));
        coming.getStatus().setNominatedNodeName("n1");
        assertEquals(List.of(0), slots(node(2), coming));
    }

    @Test
    void whatHasEndedUsesNothing() {
        Pod over = new PodBuilder(pod("a", 2)).editStatus().withPhase("Failed").endStatus().build();
        assertEquals(List.of(0, 1), slots(node(2), over));
    }

    @Test
    void oneOfOursThatWasLetGoCountsUntilItIsDead() {
        Pod dying =
                new PodBuilder(ours("0"))
                        .editMetadata()
                        .withFinalizers()
                        .withDeletionTimestamp("2026-01-02T03:04:05Z")
                        .endMetadata()
                        .build();
        assertEquals(1, slots(node(2), dying).size());
    }

    @Test
    void aPodAsksForItsContainersTogetherOrForTheLargestBefore() {
        var large =
                new ContainerBuilder()
                        .withNewResources()
                        .addToRequests("cpu", new Quantity("3"))
                        .endResources()
                        .build();
        var small =
                new ContainerBuilder()
                        .withNewResources()
                        .addToRequests("cpu", new Quantity("500m"))
                        .addToLimits("cpu", new Quantity("8"))
                        .endResources()
                        .build();
        var pod =
                new PodBuilder()
                        .withNewSpec()
                        .withContainers(small, small)
                        .withInitContainers(large)
                        .addToOverhead("cpu", new Quantity("250m"))
                        .endSpec();
        assertEquals(0, new BigDecimal("3.25").compareTo(Capacity.asked(pod.build(), "cpu")));
        var sidecar = new ContainerBuilder(large).withRestartPolicy("Always").build();
        pod.editSpec().withInitContainers(sidecar).endSpec();
        assertEquals(0, new BigDecimal("4.25").compareTo(Capacity.asked(pod.build(), "cpu")));
    }

    @Test
    void aNodeIsReadyWhenItSaysSoAndWeMayUseIt() {
        var capacity =
                new Capacity(
                        SERVER, List.of(Placing.toleration("lab:NoSchedule")), Map.of(), List.of());
        assertTrue(capacity.node(node(1)).ready());
        Node cordoned =
                new NodeBuilder(node(1)).editSpec().withUnschedulable(true).endSpec().build();
        assertFalse(capacity.node(cordoned).ready());
        Node silent =
                new NodeBuilder(node(1))
                        .editStatus()
                        .editMatchingCondition(each -> each.getType().equals("Ready"))
                        .withStatus("Unknown")
                        .endCondition()
                        .endStatus()
                        .build();
        assertFalse(capacity.node(silent).ready());
        for (String key : List.of("lab", "other")) {
            Node tainted =
                    new NodeBuilder(node(1))
                            .editSpec()
                            .addNewTaint()
                            .withKey(key)
                            .withEffect("NoSchedule")
                            .endTaint()
                            .endSpec()
                            .build();
            assertEquals(key.equals("lab"), capacity.node(tainted).ready(), key);
        }
    }

    @Test
    void theTypeIsTheProductAndWhatRunAiCallsIt() {
        Node node =
                new NodeBuilder(node(1))
                        .editMetadata()
                        .addToLabels("run.ai/type", "G10")
                        .endMetadata()
                        .build();
        Gpu gpu = new Capacity(SERVER, List.of(), Map.of(), List.of()).node(node).gpus().getFirst();
        assertEquals("NVIDIA-A100-SXM4-40GB G10", gpu.type());
        assertEquals(40L << 30, gpu.memoryBytes());
        assertTrue(gpu.isOf(Optional.of("g10")));
    }
}
