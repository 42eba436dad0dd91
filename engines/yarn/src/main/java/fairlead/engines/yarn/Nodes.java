package fairlead.engines.yarn;

import fairlead.cluster.Gpu;
import fairlead.cluster.Node;

import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a cluster's nodes have for us: what YARN counts there, less what others use of it and less
 * the room for one more master. Our own tasks do not count, for whoever asks counts them; our
 * masters count as others'.
 */
final class Nodes {
    static final String GPU = "yarn.io/gpu";
    private static final long MEGABYTE = 1L << 20;

    private final boolean hasPorts;
    private final Resource master;
    private final Map<String, Ours> ours = new HashMap<>();

    /** Of our own tasks on a node: the slots that the plan has given, and what YARN has given. */
    private static final class Ours {
        final Set<Integer> slots = new TreeSet<>();
        long gpus;
        long cpus;
        long memoryBytes;
    }

    /**
     * @param hasPorts whether the scheduler tells nodes of one host apart by their ports
     * @param master what one takes
     */
    Nodes(boolean hasPorts, Resource master, Collection<LiveAttempt> attempts) {
        this.hasPorts = hasPorts;
        this.master = master;
        for (LiveAttempt attempt : attempts) attempt.tasks.forEach(this::add);
    }

    private void add(LiveTask task) {
        if (task.exit != null) return;
        Ours own = ours.computeIfAbsent(task.record.node(), _ -> new Ours());
        own.slots.addAll(task.record.gpus());
        // What YARN has not given yet, it does not count as used.
        if (task.container.isEmpty()) return;
        own.gpus += task.record.gpus().size();
        own.cpus += task.record.cpus();
        own.memoryBytes += task.record.memoryBytes();
    }

    /** The host of a node as we name it. */
    static String host(String node) {
        int colon = node.lastIndexOf(':');
        return colon < 0 ? node : node.substring(0, colon);
    }

    List<Node> of(List<NodeReport> reports) {
        return newest(reports).stream()
                .map(this::node)
                .sorted(Comparator.comparing(Node::name))
                .toList();
    }

    /** A node manager that came back on another port is a second report of the same node. */
    private Collection<NodeReport> newest(List<NodeReport> reports) {
        var newest = new HashMap<String, NodeReport>();
        for (NodeReport each : reports) {
            newest.merge(name(each), each, (a, b) -> isReady(b) ? b : a);
        }
        return newest.values();
    }

    private String name(NodeReport report) {
        return hasPorts ? report.getNodeId().toString() : report.getNodeId().getHost();
    }

    private static boolean isReady(NodeReport report) {
        return report.getNodeState() == NodeState.RUNNING;
    }

    private Node node(NodeReport report) {
        String name = name(report);
        Resource all = report.getCapability();
        Resource used = report.getUsed();
        Ours own = ours.getOrDefault(name, new Ours());
        long othersGpus = Math.max(0, gpus(used) - own.gpus);
        long othersCpus = used == null ? 0 : Math.max(0, used.getVirtualCores() - own.cpus);
        long othersMemory = used == null ? 0 : Math.max(0, memory(used) - own.memoryBytes);
        return new Node(
                name,
                gpus(report, own.slots, gpus(all) - othersGpus),
                (int) Math.max(0, all.getVirtualCores() - othersCpus - master.getVirtualCores()),
                Math.max(0, memory(all) - othersMemory - memory(master)),
                isReady(report));
    }

    private static long memory(Resource resource) {
        return resource.getMemorySize() * MEGABYTE;
    }

    private static long gpus(Resource resource) {
        if (resource == null) return 0;
        for (var each : resource.getResources()) {
            if (each.getName().equals(GPU)) return each.getValue();
        }
        return 0;
    }

    /** YARN counts GPUs and hands them out by itself, so ours are slots; those in use stay. */
    private static List<Gpu> gpus(NodeReport report, Set<Integer> held, long count) {
        var slots = new TreeSet<>(held);
        for (int i = 0; slots.size() < count; i++) slots.add(i);
        String type = type(report);
        return slots.stream().map(slot -> new Gpu(slot, type, 0)).toList();
    }

    /** YARN knows no models; a node's labels often name them. */
    private static String type(NodeReport report) {
        var labels = report.getNodeLabels();
        return labels == null || labels.isEmpty()
                ? Gpu.DECLARED
                : String.join(",", labels.stream().sorted().toList());
    }
}
