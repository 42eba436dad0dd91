package fairlead.policy;

import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.cluster.NodeState;
import fairlead.cluster.View;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * What a plan in the making has left to give. Fills what is started first: a part goes to a GPU
 * that is shared already, whole GPUs go to the node with the fewest free ones that has enough, ties
 * to the first by name. Nodes stand in a bucket for each number of free GPUs, so finding one does
 * not look at the others; and what was not found is not looked for again until something is given
 * back.
 */
public final class Room {
    /** One that takes nothing. */
    public static final NodeState FULL = NodeState.empty(new Node("full", List.of(), 0, 0, false));

    private final NodeState[] nodes;

    /** Of each node, how many GPUs nobody uses; none while it is not ready. */
    private final int[] freeByNode;

    private final Map<String, Integer> indices;
    private final List<BitSet> buckets = new ArrayList<>();
    private final BitSet shared;
    private final Set<List<Ask>> tooLarge = new HashSet<>();
    private int[] nodesByFreeGpus;
    private int freeGpus;

    /** What counts of a role when a place is looked for: many jobs have it in common. */
    public record Ask(int count, Resources each) {}

    private Room(NodeState[] nodes, Map<String, Integer> indices) {
        this.nodes = nodes;
        this.freeByNode = new int[nodes.length];
        this.indices = indices;
        this.shared = new BitSet(nodes.length);
        this.nodesByFreeGpus = new int[0];
        for (int i = 0; i < nodes.length; i++) file(i);
    }

    private Room(Room other) {
        nodes = other.nodes.clone();
        freeByNode = other.freeByNode.clone();
        indices = other.indices;
        for (BitSet bucket : other.buckets) buckets.add((BitSet) bucket.clone());
        shared = (BitSet) other.shared.clone();
        nodesByFreeGpus = other.nodesByFreeGpus.clone();
        freeGpus = other.freeGpus;
    }

    private static Room of(NodeState[] nodes) {
        Map<String, Integer> indices = HashMap.newHashMap(nodes.length);
        for (int i = 0; i < nodes.length; i++) indices.put(nodes[i].node().name(), i);
        return new Room(nodes, indices);
    }

    public static Room now(View view) {
        return of(view.nodes().toArray(NodeState[]::new));
    }

    /** As if nothing ran and every node were ready: what waiting could bring at best. */
    public static Room ifEmpty(View view) {
        return of(
                view.nodes().stream()
                        .map(NodeState::node)
                        .map(Room::ready)
                        .map(NodeState::empty)
                        .toArray(NodeState[]::new));
    }

    public static Node ready(Node node) {
        return new Node(node.name(), node.gpus(), node.cpus(), node.memoryBytes(), true);
    }

    public Room copy() {
        return new Room(this);
    }

    /** Whole GPUs that nobody uses, on nodes that are ready. */
    public int freeGpus() {
        return freeGpus;
    }

    /** The same of one node. */
    public int freeGpus(String node) {
        Integer index = indices.get(node);
        return index == null ? 0 : freeByNode[index];
    }

    /** Whether some part of some GPU is free on a node that is ready. */
    public boolean hasGpuLeft() {
        return freeGpus > 0 || !shared.isEmpty();
    }

    /** Takes room for the whole gang, or none. */
    public Optional<Placement> take(JobSpec spec) {
        if (!hasGpusFor(spec)) return Optional.empty();
        List<Ask> asks = asks(spec);
        if (tooLarge.contains(asks)) return Optional.empty();
        var tasks = new ArrayList<TaskPlacement>(spec.tasks());
        for (Role role : spec.roles()) {
            for (int i = 0; i < role.count(); i++) {
                int best = best(role.resources());
                if (best < 0) {
                    undo(spec, tasks);
                    tooLarge.add(asks);
                    return Optional.empty();
                }
                tasks.add(takeOn(best, new TaskId(role.name(), i), role.resources()));
            }
        }
        return Optional.of(new Placement(tasks));
    }

    /** Takes the same room here and in another picture of the same nodes, or none. */
    public Optional<Placement> takeInBoth(JobSpec spec, Room other) {
        if (!hasGpusFor(spec) || !other.hasGpusFor(spec)) return Optional.empty();
        var tasks = new ArrayList<TaskPlacement>(spec.tasks());
        for (Role role : spec.roles()) {
            Resources ask = role.resources();
            for (int i = 0; i < role.count(); i++) {
                int best = best(ask, index -> common(index, ask, other));
                if (best < 0) {
                    undo(spec, tasks);
                    other.undo(spec, tasks);
                    return Optional.empty();
                }
                List<Share> shares = nodes[best].both(other.nodes[best]).shares(ask).orElseThrow();
                put(best, nodes[best].hold(ask, shares));
                other.put(best, other.nodes[best].hold(ask, shares));
                String node = nodes[best].node().name();
                tasks.add(new TaskPlacement(new TaskId(role.name(), i), node, shares));
            }
        }
        return Optional.of(new Placement(tasks));
    }

    /** What is free of a node in both pictures; most nodes have no room in one of them. */
    private NodeState common(int index, Resources ask, Room other) {
        boolean isWhole = ask.part() instanceof GpuPart.Whole;
        if (isWhole && other.freeByNode[index] < ask.gpus()) return FULL;
        NodeState here = nodes[index];
        NodeState there = other.nodes[index];
        // Of nodes that nobody has touched since the one was copied from the other.
        if (here == there) return here;
        return there.fits(ask) && here.fits(ask) ? here.both(there) : FULL;
    }

    /** Whether there is the same room here and in the other picture. */
    public boolean fitsInBoth(JobSpec spec, Room other) {
        Optional<Placement> place = takeInBoth(spec, other);
        place.ifPresent(
                taken -> {
                    undo(spec, taken.tasks());
                    other.undo(spec, taken.tasks());
                });
        return place.isPresent();
    }

    /** Whether one task fits on this node, here and in the other picture in the same place. */
    public boolean fitsInBothOn(String node, Resources ask, Room other) {
        Integer index = indices.get(node);
        return index != null && common(index, ask, other).fits(ask);
    }

    public boolean fits(JobSpec spec) {
        Optional<Placement> place = take(spec);
        place.ifPresent(taken -> undo(spec, taken.tasks()));
        return place.isPresent();
    }

    /** Whether one task fits on this node. */
    public boolean fitsOn(String node, Resources ask) {
        Integer index = indices.get(node);
        return index != null && nodes[index].fits(ask);
    }

    /** Whether the whole GPUs that it wants are there, whatever else it wants: a quick no. */
    public boolean hasGpusFor(JobSpec spec) {
        for (Role role : spec.roles()) {
            int gpus = role.resources().gpus();
            if (gpus == 0 || !(role.resources().part() instanceof GpuPart.Whole)) continue;
            int tasks = 0;
            for (int free = gpus; free < nodesByFreeGpus.length && tasks < role.count(); free++) {
                tasks += nodesByFreeGpus[free] * (free / gpus);
            }
            if (tasks < role.count()) return false;
        }
        return true;
    }

    public static List<Ask> asks(JobSpec spec) {
        List<Role> roles = spec.roles();
        if (roles.size() == 1) return List.of(ask(roles.getFirst()));
        return roles.stream().map(Room::ask).toList();
    }

    private static Ask ask(Role role) {
        return new Ask(role.count(), role.resources());
    }

    /** Takes exactly this place; false, and nothing taken, when a part of it is not free. */
    public boolean take(JobSpec spec, Placement placement) {
        int taken = 0;
        for (TaskPlacement task : placement.tasks()) {
            if (!takeExactly(spec, task)) {
                undo(spec, placement.tasks().subList(0, taken));
                return false;
            }
            taken++;
        }
        return true;
    }

    /** Takes what is free of this place, and leaves the rest. */
    public void takeWhatIsFree(JobSpec spec, Placement placement) {
        for (TaskPlacement task : placement.tasks()) {
            Integer index = indices.get(task.node());
            if (index == null) continue;
            var ask = spec.role(task.task().role()).resources();
            put(index, nodes[index].holdWhatIsFree(ask, task.shares()));
        }
    }

    /** Undoes a {@link #release(Job)}, whatever the nodes have become since. */
    public void hold(Job job) {
        JobSpec spec = job.spec();
        for (TaskPlacement task : ((JobState.Active) job.state()).attempt().placement().tasks()) {
            Integer index = indices.get(task.node());
            if (index == null) continue;
            var ask = spec.role(task.task().role()).resources();
            put(index, nodes[index].hold(ask, task.shares()));
        }
    }

    private boolean takeExactly(JobSpec spec, TaskPlacement task) {
        Integer index = indices.get(task.node());
        if (index == null) return false;
        Resources ask = spec.role(task.task().role()).resources();
        if (!nodes[index].isFree(ask, task.shares())) return false;
        put(index, nodes[index].hold(ask, task.shares()));
        return true;
    }

    /** Gives back what an active job holds. */
    public void release(Job job) {
        giveBack(job.spec(), ((JobState.Active) job.state()).attempt().placement());
    }

    /** Gives back what was taken some time ago. */
    public void giveBack(JobSpec spec, Placement placement) {
        tooLarge.clear();
        for (TaskPlacement task : placement.tasks()) release(spec, task);
    }

    /** Gives back what was taken just now: what was too large then is too large still. */
    private void undo(JobSpec spec, List<TaskPlacement> tasks) {
        for (TaskPlacement task : tasks) release(spec, task);
    }

    private void release(JobSpec spec, TaskPlacement task) {
        Integer index = indices.get(task.node());
        if (index == null) return;
        put(index, nodes[index].release(spec.role(task.task().role()).resources(), task.shares()));
    }

    /** Why {@link #take} found no room for it. */
    public List<Obstacle> obstacles(JobSpec spec) {
        if (nodes.length == 0) return List.of(new Obstacle.NoNodes());
        for (Role role : spec.roles()) {
            if (best(role.resources()) < 0) return List.of(lacking(role.resources()));
        }
        int placeable = copy().place(spec, Role::resources);
        boolean isForPorts =
                copy().place(spec, role -> role.resources().withPorts(List.of())) == spec.tasks();
        List<Integer> ports =
                spec.roles().stream().flatMap(it -> it.resources().ports().stream()).toList();
        return List.of(
                Obstacle.NotEnoughForAll.of(spec, placeable, isForPorts ? ports : List.of()));
    }

    /** Takes room for as many tasks as it has, and says for how many. */
    private int place(JobSpec spec, Function<Role, Resources> asks) {
        int placed = 0;
        for (Role role : spec.roles()) {
            Resources ask = asks.apply(role);
            for (int i = 0; i < role.count(); i++) {
                int best = best(ask);
                if (best < 0) break;
                takeOn(best, new TaskId(role.name(), i), ask);
                placed++;
            }
        }
        return placed;
    }

    private TaskPlacement takeOn(int index, TaskId task, Resources ask) {
        List<Share> shares = nodes[index].shares(ask).orElseThrow();
        put(index, nodes[index].hold(ask, shares));
        return new TaskPlacement(task, nodes[index].node().name(), shares);
    }

    private int best(Resources ask) {
        return best(ask, index -> nodes[index]);
    }

    /**
     * @param at how each node is to be seen; nothing is free there that is not free here
     */
    private int best(Resources ask, IntFunction<NodeState> at) {
        if (!(ask.part() instanceof GpuPart.Whole)) {
            for (int i = shared.nextSetBit(0); i >= 0; i = shared.nextSetBit(i + 1)) {
                NodeState node = at.apply(i);
                if (node.fits(ask) && isOnSharedGpu(i, node.shares(ask).orElseThrow())) return i;
            }
        }
        for (int free = ask.gpus(); free < buckets.size(); free++) {
            BitSet bucket = buckets.get(free);
            for (int i = bucket.nextSetBit(0); i >= 0; i = bucket.nextSetBit(i + 1)) {
                if (at.apply(i).fits(ask)) return i;
            }
        }
        return -1;
    }

    private boolean isOnSharedGpu(int index, List<Share> shares) {
        return !nodes[index].freeGpus().contains(shares.getFirst().gpu());
    }

    private void put(int index, NodeState state) {
        unfile(index);
        nodes[index] = state;
        file(index);
    }

    private void file(int index) {
        NodeState state = nodes[index];
        if (!state.node().ready()) return;
        int free = wholeGpus(state);
        freeByNode[index] = free;
        while (buckets.size() <= free) buckets.add(new BitSet());
        if (free >= nodesByFreeGpus.length) {
            nodesByFreeGpus = Arrays.copyOf(nodesByFreeGpus, free + 1);
        }
        buckets.get(free).set(index);
        nodesByFreeGpus[free]++;
        freeGpus += free;
        if (isPartlyFree(state)) shared.set(index);
    }

    private void unfile(int index) {
        if (!nodes[index].node().ready()) return;
        int free = freeByNode[index];
        buckets.get(free).clear(index);
        nodesByFreeGpus[free]--;
        freeGpus -= free;
        shared.clear(index);
    }

    private static int wholeGpus(NodeState state) {
        int whole = 0;
        List<Gpu> gpus = state.node().gpus();
        for (int i = 0; i < gpus.size(); i++) {
            if (state.freeUnits().get(i) == gpus.get(i).units()) whole++;
        }
        return whole;
    }

    private static boolean isPartlyFree(NodeState state) {
        List<Gpu> gpus = state.node().gpus();
        for (int i = 0; i < gpus.size(); i++) {
            long free = state.freeUnits().get(i);
            if (free > 0 && free < gpus.get(i).units()) return true;
        }
        return false;
    }

    private Obstacle lacking(Resources ask) {
        NodeState mostGpus = null;
        int most = 0;
        int mostCpus = 0;
        long mostMemory = 0;
        for (NodeState node : nodes) {
            if (!node.node().ready()) continue;
            int gpus = ofType(node, ask);
            if (mostGpus == null || gpus > most) {
                mostGpus = node;
                most = gpus;
            }
            mostCpus = Math.max(mostCpus, node.freeCpus());
            mostMemory = Math.max(mostMemory, node.freeMemoryBytes());
        }
        if (mostGpus == null) return new Obstacle.NoNodes();
        if (!hasLabels(ask)) return new Obstacle.NoNodeWithLabels(ask.labels());
        boolean hasPart = !(ask.part() instanceof GpuPart.Whole);
        if (ask.gpuType().isPresent() && !hasType(ask.gpuType())) {
            return new Obstacle.NoGpuOfType(ask.gpuType().get(), types());
        }
        if (hasPart && nodesWithShares(ask) == 0) return noGpuHasRoom(ask);
        if (!hasPart && ask.gpus() > most) {
            return new Obstacle.NotEnoughGpus(ask.gpus(), most, mostGpus.node().name());
        }
        if (ask.cpus() > mostCpus) return new Obstacle.NotEnoughCpus(ask.cpus(), mostCpus);
        if (ask.memoryBytes() > mostMemory) {
            return new Obstacle.NotEnoughMemory(ask.memoryBytes(), mostMemory);
        }
        boolean isForPorts = !ask.ports().isEmpty() && best(ask.withPorts(List.of())) >= 0;
        return isForPorts
                ? new Obstacle.PortsTaken(ask.ports())
                : new Obstacle.NotOnOneNode(ask.gpus(), ask.cpus(), ask.memoryBytes());
    }

    private Obstacle noGpuHasRoom(Resources ask) {
        int count = 0;
        int unused = 0;
        int unmeasured = 0;
        for (NodeState node : nodes) {
            if (!node.node().ready()) continue;
            for (Gpu gpu : node.node().gpus()) {
                if (!gpu.isOf(ask.gpuType())) continue;
                count++;
                if (gpu.memoryBytes() == 0) unmeasured++;
            }
            unused += ofType(node, ask);
        }
        return new Obstacle.NoGpuHasRoom(ask.part(), count, unused, unmeasured);
    }

    private static int ofType(NodeState state, Resources ask) {
        int count = 0;
        List<Gpu> gpus = state.node().gpus();
        for (int i = 0; i < gpus.size(); i++) {
            boolean isFree = state.freeUnits().get(i) == gpus.get(i).units();
            if (isFree && gpus.get(i).isOf(ask.gpuType())) count++;
        }
        return count;
    }

    private int nodesWithShares(Resources ask) {
        int count = 0;
        for (NodeState node : nodes) {
            if (node.node().ready() && node.shares(ask).isPresent()) count++;
        }
        return count;
    }

    private boolean hasLabels(Resources ask) {
        for (NodeState node : nodes) {
            if (node.node().ready() && node.node().labels().containsAll(ask.labels())) return true;
        }
        return false;
    }

    private boolean hasType(Optional<String> type) {
        for (NodeState node : nodes) {
            for (Gpu gpu : node.node().gpus()) if (gpu.isOf(type)) return true;
        }
        return false;
    }

    private List<String> types() {
        var types = new TreeSet<String>();
        for (NodeState node : nodes) node.node().gpus().forEach(gpu -> types.add(gpu.type()));
        return List.copyOf(types);
    }
}
