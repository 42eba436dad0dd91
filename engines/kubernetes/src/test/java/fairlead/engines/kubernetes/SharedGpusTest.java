package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import fairlead.cluster.Node;
import fairlead.engine.EngineException;
import fairlead.job.Container;
import fairlead.job.Effect;
import fairlead.job.GpuPart;
import fairlead.job.JobSpec;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Share;
import fairlead.testing.Eventually;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tasks that share a GPU: by reservations, or by replicas of the device plugin. */
@Tag("cluster")
class SharedGpusTest extends PodCase {
    private static final Resources ONE_GPU = new Resources(1, 0, 0);

    @Override
    TestCluster openCluster(TestNode... nodes) throws IOException {
        return TestCluster.open(folder, nodes);
    }

    private String node() {
        return cluster.nodes().getFirst();
    }

    private Node first() throws Exception {
        return engine.nodes().stream()
                .filter(each -> each.name().equals(node()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void partsOfOneGpuAreHeldByOneReservationThatGoesWithItsLastSharer() throws Exception {
        var roles =
                List.of(
                        role(
                                Role.MAIN,
                                1,
                                ONE_GPU,
                                "echo $NVIDIA_VISIBLE_DEVICES $FAIRLEAD_GPU_MEMORY_BYTES; "
                                        + FOREVER));
        var half = new Share(1, 20L << 30);
        JobSpec spec = spec(roles, Map.of(), Container.NONE);
        var one = effect(spec, node(), half);
        var other = effect(spec.inProject("elsewhere"), node(), half);
        Eventually.when("one is launched", () -> tries(one));
        Eventually.when("the other is launched", () -> tries(other));
        Eventually.when(
                "both write",
                () -> !log(one.attempt()).isEmpty() && !log(other.attempt()).isEmpty());
        assertEquals(log(one.attempt()), log(other.attempt()));
        String device = cluster.hasDevices() ? "GPU-\\S+" : "void";
        assertTrue(log(one.attempt()).matches(device + " 21474836480\n"), log(one.attempt()));
        assertEquals(1, reservations().size());
        assertEquals(2, first().gpus().size());
        reopen();
        engine.forget(one.attempt());
        var third = effect(spec, node(), half);
        Eventually.when("a third is launched", () -> tries(third));
        assertEquals(1, reservations().size());
        engine.forget(other.attempt());
        engine.forget(third.attempt());
        Eventually.when("the reservation is gone", () -> reservations().isEmpty());
    }

    @Test
    void partsOfAGpuAreReplicasWhereTheDevicePluginMakesThem() throws Exception {
        assumeTrue(front != null, "the nodes of a real cluster are not ours to label");
        cluster.client()
                .nodes()
                .withName(node())
                .edit(
                        each ->
                                each.edit()
                                        .editMetadata()
                                        .addToLabels("nvidia.com/gpu.replicas", "2")
                                        .endMetadata()
                                        .build());
        Eventually.when("two replicas are one GPU", () -> first().gpus().size() == 1);
        var half = new Resources(1, new GpuPart.Fraction(500), Optional.empty(), 0, 0);
        var roles = List.of(role(Role.MAIN, 1, half, "echo $NVIDIA_VISIBLE_DEVICES; " + FOREVER));
        var spec = spec(roles, Map.of(), Container.NONE);
        for (int i = 0; i < 2; i++) {
            var attempt = launch(effect(spec, node(), new Share(0, 20L << 30)));
            Eventually.when("it runs", () -> log(attempt).startsWith("GPU-"));
            var asked = pod(attempt).getSpec().getContainers().getFirst().getResources();
            assertEquals(new Quantity("1"), asked.getLimits().get(TaskPods.GPU));
        }
        assertEquals(List.of(), reservations());
    }

    @Test
    void aReservationThatSomebodyDeletesIsMadeAgain() throws Exception {
        var roles = List.of(role(Role.MAIN, 1, ONE_GPU, "echo up; " + FOREVER));
        var half = new Share(1, 20L << 30);
        var launch = effect(spec(roles, Map.of(), Container.NONE), node(), half);
        Eventually.when("it is launched", () -> tries(launch));
        Eventually.when("it runs", () -> seen(launch.attempt()).orElseThrow().running());
        Pod first = reservations().getFirst();
        cluster.client().resource(first).withGracePeriod(0).delete();
        Eventually.when(
                "there is another",
                () ->
                        reservations().stream()
                                .anyMatch(pod -> !pod.getMetadata().getUid().equals(uid(first))));
        assertEquals(2, first().gpus().size());
        engine.forget(launch.attempt());
        Eventually.when("the reservation is gone", () -> reservations().isEmpty());
    }

    private static String uid(Pod pod) {
        return pod.getMetadata().getUid();
    }

    private boolean tries(Effect.Launch launch) {
        try {
            engine.launch(launch);
            return true;
        } catch (EngineException waits) {
            assertTrue(waits.getMessage().startsWith("waits for the pod"), waits.getMessage());
            return false;
        }
    }

    private List<Pod> reservations() {
        return cluster.client().pods().inAnyNamespace().list().getItems().stream()
                .filter(Marks::isReservation)
                .toList();
    }
}
