package fairlead.cluster;

import fairlead.job.Resources;
import java.util.ArrayList;
import java.util.List;

/** A node and what is free on it now. */
public record NodeState(Node node, List<Integer> freeGpus, int freeCpus, long freeMemoryBytes) {
    public NodeState {
        freeGpus = List.copyOf(freeGpus);
    }

    static NodeState empty(Node node) {
        return new NodeState(
                node,
                node.gpus().stream().map(Gpu::index).toList(),
                node.cpus(),
                node.memoryBytes());
    }

    public boolean fits(Resources ask) {
        return node.ready()
                && ask.gpus() <= freeGpus.size()
                && ask.cpus() <= freeCpus
                && ask.memoryBytes() <= freeMemoryBytes;
    }

    /** Takes exactly these GPUs; refuses any that are not free. */
    public NodeState take(Resources ask, List<Integer> gpus) {
        if (!fits(ask) || gpus.size() != ask.gpus() || !freeGpus.containsAll(gpus)) {
            throw new IllegalArgumentException(
                    ask + " with GPUs " + gpus + " does not fit on " + node.name() + ", free: " + freeGpus);
        }
        var left = new ArrayList<>(freeGpus);
        left.removeAll(gpus);
        return new NodeState(node, left, freeCpus - ask.cpus(), freeMemoryBytes - ask.memoryBytes());
    }
}
