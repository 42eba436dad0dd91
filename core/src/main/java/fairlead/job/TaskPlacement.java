package fairlead.job;

import java.util.List;

/** Where one task runs: its node, and the indices of the GPUs that it holds there. */
public record TaskPlacement(TaskId task, String node, List<Integer> gpus) {
    public TaskPlacement {
        gpus = List.copyOf(gpus);
    }
}
