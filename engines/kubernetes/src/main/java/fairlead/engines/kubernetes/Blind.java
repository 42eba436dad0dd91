package fairlead.engines.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Nodes for a cluster whose nodes we may not see: as the settings describe them, and within what
 * the namespace's quotas allow. They only count; which real node a pod gets is the cluster's
 * choice, and whether there is room for it shows when it is made.
 *
 * @param shape as it is set; empty: one node with all that the quotas allow
 */
record Blind(Optional<KubernetesSettings.Shape> shape, String server) {
    /** The name of the one node, or the stem of several. */
    private static final String NAME = "unseen";

    /** More than any node has: nobody limits it here. */
    private static final BigDecimal CPUS = BigDecimal.valueOf(4_096);

    private static final BigDecimal MEMORY = BigDecimal.valueOf(1L << 46);

    List<Node> nodes(Collection<ResourceQuota> quotas, Collection<Pod> pods) {
        int count = shape.map(KubernetesSettings.Shape::nodes).orElse(1);
        long gpus = gpus(quotas, pods);
        var nodes = new ArrayList<Node>();
        for (int i = 0; i < count; i++) {
            long own = Math.min(gpus, shape.map(each -> (long) each.gpus()).orElse(gpus));
            gpus -= own;
            nodes.add(node(count == 1 ? NAME : NAME + "-" + (i + 1), own, quotas, count));
        }
        return nodes;
    }

    /** All that may be used by us: pods of others in the namespace use the same quota. */
    private long gpus(Collection<ResourceQuota> quotas, Collection<Pod> pods) {
        var allowed = allowed(quotas, "requests." + TaskPods.GPU);
        long set =
                shape.map(each -> (long) each.nodes() * each.gpus())
                        .orElse(allowed.map(BigDecimal::longValue).orElse(0L));
        long most = allowed.map(BigDecimal::longValue).orElse(set);
        for (Pod pod : pods) {
            if (!Capacity.isOurs(pod, server) && !Capacity.isEnded(pod))
                most -= Capacity.asked(pod, TaskPods.GPU).longValue();
        }
        return Math.max(0, Math.min(set, most));
    }

    /** The least that any quota says; empty: none says anything. */
    private static Optional<BigDecimal> allowed(Collection<ResourceQuota> quotas, String what) {
        return quotas.stream()
                .flatMap(quota -> Capacity.amount(quota.getSpec().getHard(), what).stream())
                .min(BigDecimal::compareTo);
    }

    private static Node node(String name, long gpus, Collection<ResourceQuota> quotas, int count) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewStatus()
                .addToAllocatable(TaskPods.GPU, new Quantity(Long.toString(gpus)))
                .addToAllocatable("cpu", part(quotas, "cpu", count, CPUS))
                .addToAllocatable("memory", part(quotas, "memory", count, MEMORY))
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }

    private static Quantity part(
            Collection<ResourceQuota> quotas, String what, int count, BigDecimal most) {
        BigDecimal all =
                allowed(quotas, "requests." + what)
                        .or(() -> allowed(quotas, "limits." + what))
                        .or(() -> allowed(quotas, what))
                        .orElse(most.multiply(BigDecimal.valueOf(count)));
        BigDecimal each = all.divide(BigDecimal.valueOf(count), 3, RoundingMode.FLOOR);
        return new Quantity(each.toPlainString());
    }

    List<String> unknowns(Collection<ResourceQuota> quotas) {
        var unknown = new ArrayList<String>();
        unknown.add(
                "the account sees only its namespace: nodes, their GPUs' types and what others use"
                        + " are not known, and a pod without room waits for the cluster's own"
                        + " scheduler");
        boolean isLimited = allowed(quotas, "requests." + TaskPods.GPU).isPresent();
        if (shape.isEmpty() && !isLimited)
            unknown.add(
                    "no quota of the namespace speaks of "
                            + TaskPods.GPU
                            + ", so no job gets a GPU until NAME.nodes says what there is, such as"
                            + " 4x8 for four nodes with eight GPUs each");
        else if (shape.isEmpty())
            unknown.add("how many GPUs one node has is not known; NAME.nodes = 4x8 would say it");
        return unknown;
    }
}
