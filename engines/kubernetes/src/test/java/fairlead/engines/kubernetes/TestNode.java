package fairlead.engines.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A node that a test cluster makes: what it has, and what it says of itself.
 *
 * @param gpuMemoryMiB of each GPU, as NVIDIA's feature discovery labels it
 */
public record TestNode(
        String name, int cpus, int memoryGiB, int gpus, String gpuProduct, int gpuMemoryMiB) {
    /** With eight A100 of 40 GB less those that it does not have. */
    public static TestNode withGpus(String name, int gpus) {
        return new TestNode(name, 64, 256, gpus, "NVIDIA-A100-SXM4-40GB", 40_960);
    }

    /** The ids of its GPUs, the same in each run. */
    public List<String> gpuIds() {
        return IntStream.range(0, gpus)
                .mapToObj(
                        each ->
                                String.format(
                                        "GPU-%08x-0000-4000-8000-%012x", name.hashCode(), each))
                .toList();
    }

    /** With the names that it has in a cluster shared with others. */
    TestNode named(String other) {
        return new TestNode(other, cpus, memoryGiB, gpus, gpuProduct, gpuMemoryMiB);
    }

    /**
     * The node as the API holds it.
     *
     * @param taint that keeps others' pods away; empty: none
     * @param kubeletPort where its kubelet serves logs; 0: nowhere
     */
    Node object(Optional<String> taint, int kubeletPort) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("kubernetes.io/hostname", name);
        if (gpus > 0) {
            labels.put("nvidia.com/gpu.product", gpuProduct);
            labels.put("nvidia.com/gpu.memory", Integer.toString(gpuMemoryMiB));
            labels.put("nvidia.com/gpu.count", Integer.toString(gpus));
        }
        Map<String, Quantity> has = new LinkedHashMap<>();
        has.put("cpu", new Quantity(Integer.toString(cpus)));
        has.put("memory", new Quantity(memoryGiB + "Gi"));
        has.put("pods", new Quantity("1100"));
        if (gpus > 0) has.put(TestKubelet.GPU, new Quantity(Integer.toString(gpus)));
        var builder =
                new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withLabels(labels)
                        .endMetadata()
                        .withNewSpec()
                        .endSpec()
                        .withNewStatus()
                        .withCapacity(has)
                        .withAllocatable(has)
                        // A host name would be looked up first, and nobody knows it.
                        .addNewAddress("127.0.0.1", "InternalIP")
                        .withNewDaemonEndpoints()
                        .withNewKubeletEndpoint(kubeletPort)
                        .endDaemonEndpoints()
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .withReason("KubeletReady")
                        .withMessage("kubelet is posting ready status")
                        .withLastHeartbeatTime(PodStatuses.time(Instant.now()))
                        .withLastTransitionTime(PodStatuses.time(Instant.now()))
                        .endCondition()
                        .endStatus();
        if (taint.isPresent()) {
            builder.editSpec()
                    .addNewTaint()
                    .withKey(taint.get())
                    .withEffect("NoSchedule")
                    .endTaint()
                    .endSpec();
        }
        return builder.build();
    }
}
