package fairlead.cluster;

import java.util.List;

/** What a node has, used or not. A node that is not ready takes no new tasks. */
public record Node(String name, List<Gpu> gpus, int cpus, long memoryBytes, boolean ready) {
    public Node {
        gpus = List.copyOf(gpus);
        if (cpus < 0 || memoryBytes < 0) {
            throw new IllegalArgumentException(
                    "negative capacity on " + name + ": " + cpus + ", " + memoryBytes);
        }
    }
}
