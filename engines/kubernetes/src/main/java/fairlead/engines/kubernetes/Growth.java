package fairlead.engines.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Nodes that an autoscaler would add. A pod that is placed on one names no node: while it has no
 * room the autoscaler makes some, and the cluster's scheduler puts the pod wherever that is.
 */
final class Growth {
    /** No node of Kubernetes can be called so, and it comes after all that can. */
    private static final String STEM = "~new-";

    /** More than a task asks for: what a new node will have is not known. */
    private static final String CPUS = "1024";

    private static final String MEMORY = "16Ti";

    private Growth() {}

    static boolean isNew(String node) {
        return node.startsWith(STEM);
    }

    static List<Node> nodes(Optional<KubernetesSettings.Shape> shape) {
        var nodes = new ArrayList<Node>();
        for (int i = 1; i <= shape.map(KubernetesSettings.Shape::nodes).orElse(0); i++) {
            nodes.add(
                    new NodeBuilder()
                            .withNewMetadata()
                            .withName(STEM + i)
                            .endMetadata()
                            .withNewStatus()
                            .addToAllocatable(
                                    TaskPods.GPU,
                                    new Quantity(Integer.toString(shape.get().gpus())))
                            .addToAllocatable("cpu", new Quantity(CPUS))
                            .addToAllocatable("memory", new Quantity(MEMORY))
                            .addNewCondition()
                            .withType("Ready")
                            .withStatus("True")
                            .endCondition()
                            .endStatus()
                            .build());
        }
        return nodes;
    }
}
