package fairlead.policy.elastic;

import fairlead.cluster.Gpu;
import fairlead.cluster.NodeState;
import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Resources;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Training;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The GPUs that somebody uses, who that is, and how much memory is left beside them. Used for one
 * plan.
 */
final class SharedGpus {
    /** Allocators round up and fragment: a peak may be a little more the next time. */
    private static final double MEMORY_MARGIN = 1.1;

    /** Beyond this part of its memory a GPU is about to fail somebody. */
    private static final double MEMORY_FULL = 0.95;

    private final NodeState[] nodes;
    private final Map<Slot, List<Job>> holders = new TreeMap<>();
    private final Set<JobId> sharers = new HashSet<>();

    /** A GPU of a node. */
    record Slot(int node, int gpu) implements Comparable<Slot> {
        private static final Comparator<Slot> ORDER =
                Comparator.comparingInt(Slot::node).thenComparingInt(Slot::gpu);

        @Override
        public int compareTo(Slot other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * @param nodes as they are once the plan so far has been carried out; who moves in is added
     */
    SharedGpus(View view, NodeState[] nodes) {
        this.nodes = nodes;
        Map<String, Integer> indices = new HashMap<>();
        for (int i = 0; i < nodes.length; i++) indices.put(nodes[i].node().name(), i);
        for (Job job : view.active()) {
            for (TaskPlacement task : tasks(job)) {
                Integer node = indices.get(task.node());
                if (node == null) continue;
                for (Share share : task.shares()) {
                    holders.computeIfAbsent(new Slot(node, share.gpu()), _ -> new ArrayList<>())
                            .add(job);
                }
            }
        }
        for (List<Job> all : holders.values()) {
            if (all.size() > 1) all.forEach(job -> sharers.add(job.id()));
        }
    }

    private static List<TaskPlacement> tasks(Job job) {
        return ((JobState.Active) job.state()).attempt().placement().tasks();
    }

    /** How much of a GPU the job takes when it may share: measured, or else as declared. */
    static Optional<Long> need(Job job, View view) {
        Training training = job.spec().training().orElseThrow();
        if (!training.sharing() || training.gpusMin() > 1) return Optional.empty();
        long measured = view.foresight().profile(job).memoryBytes();
        Optional<Long> bytes =
                measured > 0
                        ? Optional.of((long) (measured * MEMORY_MARGIN))
                        : training.memoryBytes().filter(declared -> declared > 0);
        return bytes.map(known -> Math.max(known, GpuPart.Memory.BYTES_MIN));
    }

    /** What a task of the job asks for when it takes so much of a GPU's memory. */
    static Resources part(Job job, long bytes) {
        Resources ask = job.spec().roles().getFirst().resources();
        return ask.withGpus(1, new GpuPart.Memory(bytes));
    }

    /** In order of node and GPU; only those that somebody uses. */
    Map<Slot, List<Job>> all() {
        return holders;
    }

    List<Job> in(Slot slot) {
        return holders.get(slot);
    }

    /** Whether the job had its GPUs to itself in the view. */
    boolean isAlone(Job job) {
        return !sharers.contains(job.id());
    }

    /** Whether its attempt holds nothing but a part of one GPU. */
    static boolean holdsPart(Job job) {
        List<TaskPlacement> tasks = tasks(job);
        return tasks.size() == 1
                && tasks.getFirst().shares().size() == 1
                && !tasks.getFirst().shares().getFirst().isWhole();
    }

    /** Into what nobody holds, and nobody has outgrown a share into. */
    boolean fits(Job job, Slot slot, long bytes) {
        return nodes[slot.node()].isFree(part(job, bytes), List.of(new Share(slot.gpu(), bytes)))
                && freeBytes(slot) - outgrownBy(slot) >= bytes;
    }

    private long freeBytes(Slot slot) {
        NodeState node = nodes[slot.node()];
        for (int i = 0; i < node.node().gpus().size(); i++) {
            if (node.node().gpus().get(i).index() == slot.gpu()) return node.freeUnits().get(i);
        }
        return 0;
    }

    /** The job moves in, and its task is to be placed so. */
    TaskPlacement take(Job job, Slot slot, long bytes) {
        List<Share> shares = List.of(new Share(slot.gpu(), bytes));
        nodes[slot.node()] = nodes[slot.node()].hold(part(job, bytes), shares);
        in(slot).add(job);
        var task = new TaskId(job.spec().roles().getFirst().name(), 0);
        return new TaskPlacement(task, nodes[slot.node()].node().name(), shares);
    }

    /**
     * Who has outgrown its share by most, where the GPU cannot give more than is held or used: not
     * a neighbour who keeps inside.
     */
    Optional<Job> outgrown(Slot slot) {
        long used = in(slot).stream().mapToLong(job -> units(job, slot)).sum() + outgrownBy(slot);
        boolean isFull = memory(slot) > 0 && used > memory(slot) * MEMORY_FULL;
        return in(slot).stream()
                .filter(job -> isFull && excess(job, slot) > 0)
                .max(
                        Comparator.comparingLong((Job job) -> excess(job, slot))
                                .thenComparing(OwnerQueue.OWN_ORDER));
    }

    private long outgrownBy(Slot slot) {
        return in(slot).stream().mapToLong(job -> Math.max(0, excess(job, slot))).sum();
    }

    /** How much more memory it was seen to use than it holds; negative while it keeps inside. */
    private long excess(Job job, Slot slot) {
        return job.progress().profile().memoryBytes() - units(job, slot);
    }

    private long units(Job job, Slot slot) {
        if (!(job.state() instanceof JobState.Active)) return 0;
        String node = nodes[slot.node()].node().name();
        for (TaskPlacement task : tasks(job)) {
            for (Share share : task.shares()) {
                if (task.node().equals(node) && share.gpu() == slot.gpu()) {
                    return share.isWhole() ? memory(slot) : share.units();
                }
            }
        }
        return 0;
    }

    private long memory(Slot slot) {
        return nodes[slot.node()].node().gpus().stream()
                .filter(gpu -> gpu.index() == slot.gpu())
                .mapToLong(Gpu::memoryBytes)
                .sum();
    }
}
