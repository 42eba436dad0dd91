package fairlead.engines.kubernetes;

import fairlead.cluster.Gpu;
import fairlead.cluster.Node;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a cluster's nodes have for us: what their kubelets offer, less what the pods of others ask
 * for. Our own pods do not count, for whoever asks counts them.
 */
final class Capacity {
    private static final String CPU = "cpu";
    private static final String MEMORY = "memory";
    private static final String PRODUCT = "nvidia.com/gpu.product";
    private static final String RUNAI_TYPE = "run.ai/type";
    private static final String GPU_MEMORY = "nvidia.com/gpu.memory";

    private static final String REPLICAS = "nvidia.com/gpu.replicas";

    private final String server;
    private final List<Toleration> tolerations;
    private final Map<String, String> nodeSelector;
    private final Map<String, Map<String, BigDecimal>> others = new HashMap<>();
    private final Map<String, Map<String, BigDecimal>> all = new HashMap<>();
    private final Map<String, Set<Integer>> ours = new HashMap<>();

    /**
     * @param nodeSelector the labels of the nodes that pods may use at all
     * @param pods all of the cluster
     */
    Capacity(
            String server,
            List<Toleration> tolerations,
            Map<String, String> nodeSelector,
            Collection<Pod> pods) {
        this.server = server;
        this.tolerations = tolerations;
        this.nodeSelector = nodeSelector;
        for (Pod pod : pods) add(pod);
    }

    private void add(Pod pod) {
        boolean isOurs = isOurs(pod, server);
        // Ours have a place before the cluster's scheduler has agreed.
        String node = isOurs ? Marks.annotation(pod, Marks.NODE) : place(pod);
        if (node == null || isEnded(pod)) return;
        String bound = pod.getSpec().getNodeName();
        if (isOurs && Growth.isNew(node) && bound != null) {
            // It has come to a node that was not there when it was placed: what it has there is
            // nobody's else, and it is counted where it was placed.
            add(all, bound, pod);
            add(others, bound, pod);
            return;
        }
        add(all, node, pod);
        if (isOurs) ours.computeIfAbsent(node, _ -> new HashSet<>()).addAll(Marks.gpus(pod));
        else add(others, node, pod);
    }

    private static void add(Map<String, Map<String, BigDecimal>> sums, String node, Pod pod) {
        var used = sums.computeIfAbsent(node, _ -> new HashMap<>());
        for (String resource : List.of(CPU, MEMORY, TaskPods.GPU)) {
            used.merge(resource, asked(pod, resource), BigDecimal::add);
        }
    }

    /**
     * What a task may ask for beside its GPUs where it says nothing itself: its part of the node,
     * as far as nobody has asked for it.
     *
     * @param hundredths of the part that goes with each GPU
     */
    Map<String, BigDecimal> besideGpus(
            io.fabric8.kubernetes.api.model.Node node, BigDecimal gpus, int hundredths) {
        BigDecimal offered = offered(node, TaskPods.GPU);
        if (offered.signum() == 0) return Map.of();
        var used = all.getOrDefault(node.getMetadata().getName(), Map.of());
        var beside = new HashMap<String, BigDecimal>();
        for (String resource : List.of(CPU, MEMORY)) {
            BigDecimal free =
                    offered(node, resource).subtract(used.getOrDefault(resource, BigDecimal.ZERO));
            BigDecimal part =
                    offered(node, resource)
                            .multiply(gpus)
                            .multiply(BigDecimal.valueOf(hundredths))
                            .divide(
                                    offered.multiply(BigDecimal.valueOf(100)),
                                    resource.equals(CPU) ? 3 : 0,
                                    RoundingMode.FLOOR);
            BigDecimal given = part.min(free);
            if (given.signum() > 0) beside.put(resource, given);
        }
        return beside;
    }

    /** Also of a pod for which the scheduler has stopped others there. Null: it has none yet. */
    static String place(Pod pod) {
        String bound = pod.getSpec().getNodeName();
        return bound != null || pod.getStatus() == null
                ? bound
                : pod.getStatus().getNominatedNodeName();
    }

    static boolean isEnded(Pod pod) {
        String phase = pod.getStatus() == null ? "" : pod.getStatus().getPhase();
        return "Succeeded".equals(phase) || "Failed".equals(phase);
    }

    /** One that was let go holds its place until it is dead, and nobody else counts it. */
    static boolean isOurs(Pod pod, String server) {
        return Marks.label(pod, Marks.SERVER).equals(server) && !Marks.isForgotten(pod);
    }

    /** As the cluster's scheduler counts: containers together, or the largest that comes before. */
    static BigDecimal asked(Pod pod, String resource) {
        BigDecimal sum = BigDecimal.ZERO;
        for (Container each : pod.getSpec().getContainers()) sum = sum.add(asked(each, resource));
        BigDecimal before = BigDecimal.ZERO;
        if (pod.getSpec().getInitContainers() != null) {
            for (Container each : pod.getSpec().getInitContainers()) {
                // A sidecar stays beside the others.
                if ("Always".equals(each.getRestartPolicy())) sum = sum.add(asked(each, resource));
                else before = before.max(asked(each, resource));
            }
        }
        var overhead = pod.getSpec().getOverhead();
        return sum.max(before).add(amount(overhead, resource).orElse(BigDecimal.ZERO));
    }

    private static BigDecimal asked(Container container, String resource) {
        var resources = container.getResources();
        if (resources == null) return BigDecimal.ZERO;
        // What has only a limit requests as much.
        return amount(resources.getRequests(), resource)
                .or(() -> amount(resources.getLimits(), resource))
                .orElse(BigDecimal.ZERO);
    }

    static Optional<BigDecimal> amount(Map<String, Quantity> amounts, String resource) {
        if (amounts == null || amounts.get(resource) == null) return Optional.empty();
        return Optional.of(amounts.get(resource).getNumericalAmount());
    }

    Node node(io.fabric8.kubernetes.api.model.Node node) {
        String name = node.getMetadata().getName();
        return new Node(
                name,
                gpus(node),
                (int) Math.min(Integer.MAX_VALUE, left(node, CPU)),
                left(node, MEMORY),
                isReady(node),
                labels(node).entrySet().stream().map(Object::toString).sorted().toList());
    }

    private long left(io.fabric8.kubernetes.api.model.Node node, String resource) {
        var used =
                others.getOrDefault(node.getMetadata().getName(), Map.of())
                        .getOrDefault(resource, BigDecimal.ZERO);
        return Math.max(0, whole(offered(node, resource).subtract(used)));
    }

    private static BigDecimal offered(io.fabric8.kubernetes.api.model.Node node, String resource) {
        var status = node.getStatus();
        return amount(status == null ? null : status.getAllocatable(), resource)
                .orElse(BigDecimal.ZERO);
    }

    private static long whole(BigDecimal amount) {
        return amount.setScale(0, RoundingMode.FLOOR).longValue();
    }

    /**
     * Which of the real GPUs is meant by a slot is the cluster's business; a slot only counts. Ours
     * keep theirs, also on a node that has fewer healthy GPUs by now; the lowest others are free.
     */
    private List<Gpu> gpus(io.fabric8.kubernetes.api.model.Node node) {
        long ours = left(node, TaskPods.GPU) / replicas(node);
        var slots = new TreeSet<>(this.ours.getOrDefault(node.getMetadata().getName(), Set.of()));
        for (int slot = 0; slots.size() < ours; slot++) slots.add(slot);
        return slots.stream().map(slot -> new Gpu(slot, type(node), memory(node))).toList();
    }

    /**
     * Into how many parts the node's device plugin cuts each GPU, by time or by MPS; 1: it does
     * not.
     */
    static int replicas(io.fabric8.kubernetes.api.model.Node node) {
        String replicas = labels(node).getOrDefault(REPLICAS, "");
        return replicas.matches("[1-9]\\d{0,3}") ? Integer.parseInt(replicas) : 1;
    }

    private static String type(io.fabric8.kubernetes.api.model.Node node) {
        var labels = labels(node);
        String product = labels.getOrDefault(PRODUCT, "gpu");
        String type = labels.getOrDefault(RUNAI_TYPE, "");
        return type.isEmpty() ? product : product + " " + type;
    }

    private static long memory(io.fabric8.kubernetes.api.model.Node node) {
        String mebibytes = labels(node).getOrDefault(GPU_MEMORY, "");
        return mebibytes.matches("\\d{1,9}") ? Long.parseLong(mebibytes) << 20 : 0;
    }

    private static Map<String, String> labels(io.fabric8.kubernetes.api.model.Node node) {
        var labels = node.getMetadata().getLabels();
        return labels == null ? Map.of() : labels;
    }

    private boolean isReady(io.fabric8.kubernetes.api.model.Node node) {
        var taints = node.getSpec() == null ? null : node.getSpec().getTaints();
        return health(node) == PodReading.NodeHealth.READY
                && labels(node).entrySet().containsAll(nodeSelector.entrySet())
                && Placing.tolerates(tolerations, taints == null ? List.of() : taints);
    }

    static PodReading.NodeHealth health(io.fabric8.kubernetes.api.model.Node node) {
        var conditions = node.getStatus() == null ? null : node.getStatus().getConditions();
        boolean isReady =
                conditions != null
                        && conditions.stream()
                                .anyMatch(
                                        each ->
                                                "Ready".equals(each.getType())
                                                        && "True".equals(each.getStatus()));
        if (!isReady) return PodReading.NodeHealth.NOT_READY;
        boolean isCordoned =
                node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
        return isCordoned ? PodReading.NodeHealth.CORDONED : PodReading.NodeHealth.READY;
    }
}
