package fairlead.dialects.act;

import fairlead.dialects.act.config.ClusterConfig;

import java.util.OptionalInt;

/**
 * How many nodes and processes a job has, by the rules of ACT.
 *
 * @param gpus of all nodes together
 * @param mpi whether the processes are started as ranks of MPI
 */
public record Layout(int gpus, int nodes, int gpusPerNode, int processesPerNode, boolean mpi) {
    /** A server takes no job with more tasks. */
    private static final int NODES_MAX = 10_000;

    /**
     * Lays out a job.
     *
     * @param wanted what {@code -n} says; a whole node where it says nothing
     * @param single one process on each node, whatever the file says
     */
    public static Layout of(ClusterConfig config, OptionalInt wanted, boolean single)
            throws Misuse {
        int gpus = wanted.orElse(config.gpusPerNode());
        if (gpus < 0) throw new Misuse("GPUs must be 0 or more, but are " + gpus);
        if (gpus == 0) return new Layout(0, 1, 0, 1, false);
        boolean multiProcess = config.multiProcess() && !single;
        if (config.processesPerNode().isPresent()) {
            return ofProcesses(config, gpus, single);
        }
        int nodes = bounded(nodes(config, gpus), gpus);
        // A job of Philly need not be a multiple; its containers are then alike, with one GPU more.
        int each = (gpus + nodes - 1) / nodes;
        return new Layout(
                each * nodes, nodes, each, multiProcess ? each : 1, multiProcess || nodes > 1);
    }

    private static int bounded(int nodes, int gpus) throws Misuse {
        if (nodes <= NODES_MAX) return nodes;
        throw new Misuse(
                gpus + " GPUs are " + nodes + " nodes, and a job has at most " + NODES_MAX);
    }

    private static int nodes(ClusterConfig config, int gpus) throws Misuse {
        int full = config.gpusPerNode();
        if (gpus <= full) return 1;
        boolean isMultiple = gpus % full == 0;
        if (isMultiple || config.origin() == ClusterConfig.Origin.PHILLY) {
            return (gpus + full - 1) / full;
        }
        throw new Misuse(
                gpus
                        + " GPUs are no multiple of gpu_per_node, which is "
                        + full
                        + " for '"
                        + config.name()
                        + "': more than one node is used whole, so "
                        + gpus / full * full
                        + " or "
                        + (gpus / full + 1) * full
                        + " is possible");
    }

    /** The file says how many processes a node has, and so how many nodes there are. */
    private static Layout ofProcesses(ClusterConfig config, int gpus, boolean single)
            throws Misuse {
        int count = config.processesPerNode().getAsInt();
        if (gpus % count != 0) {
            throw new Misuse(
                    gpus
                            + (gpus == 1 ? " GPU is" : " GPUs are")
                            + " no multiple of process_count_per_node, which is "
                            + count
                            + " for '"
                            + config.name()
                            + "'");
        }
        int nodes = bounded(gpus / count, gpus);
        int each = Math.min(count, config.gpusPerNode());
        return new Layout(each * nodes, nodes, each, single ? 1 : count, !single || nodes > 1);
    }
}
