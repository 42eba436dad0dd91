package fairlead.policy;

import fairlead.cluster.Node;
import fairlead.cluster.NodeState;
import fairlead.cluster.View;
import fairlead.job.JobSpec;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a plan in the making has left to give. Fills started nodes first: of the nodes that fit, the
 * one with the fewest free GPUs, then the fewest free CPUs, then the first by name.
 */
final class Room {
    private final NodeState[] nodes;

    private Room(NodeState[] nodes) {
        this.nodes = nodes;
    }

    static Room now(View view) {
        return new Room(view.nodes().toArray(NodeState[]::new));
    }

    /** As if nothing ran and every node were ready: what waiting could bring at best. */
    static Room ifEmpty(View view) {
        return new Room(
                view.nodes().stream()
                        .map(NodeState::node)
                        .map(
                                node ->
                                        new Node(
                                                node.name(),
                                                node.gpus(),
                                                node.cpus(),
                                                node.memoryBytes(),
                                                true))
                        .map(NodeState::empty)
                        .toArray(NodeState[]::new));
    }

    /** Takes room for the whole gang, or none. */
    Optional<Placement> take(JobSpec spec) {
        NodeState[] before = nodes.clone();
        var tasks = new ArrayList<TaskPlacement>();
        for (Role role : spec.roles()) {
            for (int i = 0; i < role.count(); i++) {
                int best = best(role.resources());
                if (best < 0) {
                    System.arraycopy(before, 0, nodes, 0, nodes.length);
                    return Optional.empty();
                }
                tasks.add(takeOn(best, new TaskId(role.name(), i), role.resources()));
            }
        }
        return Optional.of(new Placement(tasks));
    }

    /** Why {@link #take} found no room for it. */
    List<Obstacle> obstacles(JobSpec spec) {
        if (nodes.length == 0) return List.of(new Obstacle.NoNodes());
        for (Role role : spec.roles()) {
            if (best(role.resources()) < 0) return List.of(lacking(role.resources()));
        }
        NodeState[] before = nodes.clone();
        int placeable = 0;
        for (Role role : spec.roles()) {
            for (int i = 0; i < role.count(); i++) {
                int best = best(role.resources());
                if (best < 0) continue;
                takeOn(best, new TaskId(role.name(), i), role.resources());
                placeable++;
            }
        }
        System.arraycopy(before, 0, nodes, 0, nodes.length);
        return List.of(new Obstacle.NotEnoughForAll(spec.tasks(), placeable));
    }

    private TaskPlacement takeOn(int index, TaskId task, Resources ask) {
        List<Integer> gpus = nodes[index].freeGpus().subList(0, ask.gpus());
        nodes[index] = nodes[index].take(ask, gpus);
        return new TaskPlacement(task, nodes[index].node().name(), gpus);
    }

    private int best(Resources ask) {
        int best = -1;
        for (int i = 0; i < nodes.length; i++) {
            if (nodes[i].fits(ask) && (best < 0 || isTighter(nodes[i], nodes[best]))) best = i;
        }
        return best;
    }

    private static boolean isTighter(NodeState one, NodeState other) {
        int byGpus = Integer.compare(one.freeGpus().size(), other.freeGpus().size());
        return byGpus != 0 ? byGpus < 0 : one.freeCpus() < other.freeCpus();
    }

    private Obstacle lacking(Resources ask) {
        NodeState mostGpus = null;
        int mostCpus = 0;
        long mostMemory = 0;
        for (NodeState node : nodes) {
            if (!node.node().ready()) continue;
            if (mostGpus == null || node.freeGpus().size() > mostGpus.freeGpus().size())
                mostGpus = node;
            mostCpus = Math.max(mostCpus, node.freeCpus());
            mostMemory = Math.max(mostMemory, node.freeMemoryBytes());
        }
        if (mostGpus == null) return new Obstacle.NoNodes();
        if (ask.gpus() > mostGpus.freeGpus().size()) {
            return new Obstacle.NotEnoughGpus(
                    ask.gpus(), mostGpus.freeGpus().size(), mostGpus.node().name());
        }
        if (ask.cpus() > mostCpus) return new Obstacle.NotEnoughCpus(ask.cpus(), mostCpus);
        if (ask.memoryBytes() > mostMemory) {
            return new Obstacle.NotEnoughMemory(ask.memoryBytes(), mostMemory);
        }
        return new Obstacle.NotOnOneNode(ask.gpus(), ask.cpus(), ask.memoryBytes());
    }
}
