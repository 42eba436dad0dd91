package fairlead.cluster;

import fairlead.job.Resources;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * A node and what is free on it now. What is free may be negative when a node has shrunk under its
 * tasks: nothing more fits then, and nothing is taken from those that run.
 */
public record NodeState(Node node, List<Integer> freeGpus, int freeCpus, long freeMemoryBytes) {
    public NodeState {
        freeGpus = List.copyOf(freeGpus);
    }

    public static NodeState empty(Node node) {
        return new NodeState(
                node,
                node.gpus().stream().map(Gpu::index).toList(),
                node.cpus(),
                node.memoryBytes());
    }

    public boolean fits(Resources ask) {
        return node.ready()
                && ask.gpus() <= freeGpus.size()
                && (ask.cpus() == 0 || ask.cpus() <= freeCpus)
                && (ask.memoryBytes() == 0 || ask.memoryBytes() <= freeMemoryBytes);
    }

    /** Takes exactly these GPUs; refuses any that are not free. */
    public NodeState take(Resources ask, List<Integer> gpus) {
        if (!fits(ask) || gpus.size() != ask.gpus() || !freeGpus.containsAll(gpus)) {
            throw new IllegalArgumentException(
                    ask
                            + " with GPUs "
                            + gpus
                            + " does not fit on "
                            + node.name()
                            + ", free: "
                            + freeGpus);
        }
        return hold(ask, gpus);
    }

    /** Counts what a task holds, whether or not the node would take it now. */
    NodeState hold(Resources ask, List<Integer> gpus) {
        var left = new ArrayList<>(freeGpus);
        left.removeAll(gpus);
        return new NodeState(
                node, left, freeCpus - ask.cpus(), freeMemoryBytes - ask.memoryBytes());
    }

    NodeState release(Resources ask, List<Integer> gpus) {
        var free = new TreeSet<>(freeGpus);
        for (Gpu gpu : node.gpus()) {
            if (gpus.contains(gpu.index())) free.add(gpu.index());
        }
        return new NodeState(
                node,
                List.copyOf(free),
                freeCpus + ask.cpus(),
                freeMemoryBytes + ask.memoryBytes());
    }
}
