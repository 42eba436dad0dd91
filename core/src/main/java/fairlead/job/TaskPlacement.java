package fairlead.job;

import java.util.List;

/** Where one task runs: its node, and the GPUs that it holds there. */
public record TaskPlacement(TaskId task, String node, List<Share> shares) {
    public TaskPlacement {
        shares = List.copyOf(shares);
    }

    /** Their indices on the node. */
    public List<Integer> gpus() {
        return shares.stream().map(Share::gpu).toList();
    }

    /** Whole GPUs by their indices. */
    public static TaskPlacement whole(TaskId task, String node, List<Integer> gpus) {
        return new TaskPlacement(task, node, gpus.stream().map(Share::whole).toList());
    }
}
