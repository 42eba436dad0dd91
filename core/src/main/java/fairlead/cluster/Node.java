package fairlead.cluster;

import java.util.List;

/**
 * What a node has, used or not. A node that is not ready takes no new tasks.
 *
 * @param labels what its cluster says of it, each {@code key=value}, in order
 */
public record Node(
        String name,
        List<Gpu> gpus,
        int cpus,
        long memoryBytes,
        boolean ready,
        List<String> labels) {
    public Node {
        gpus = List.copyOf(gpus);
        labels = List.copyOf(labels);
        if (cpus < 0 || memoryBytes < 0) {
            throw new IllegalArgumentException(
                    "negative capacity on " + name + ": " + cpus + ", " + memoryBytes);
        }
    }

    /** Of which nothing else is said. */
    public Node(String name, List<Gpu> gpus, int cpus, long memoryBytes, boolean ready) {
        this(name, gpus, cpus, memoryBytes, ready, List.of());
    }

    /** The same, whether or not it takes tasks. */
    public Node ready(boolean is) {
        return new Node(name, gpus, cpus, memoryBytes, is, labels);
    }
}
