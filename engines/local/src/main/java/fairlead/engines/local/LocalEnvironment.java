package fairlead.engines.local;

import fairlead.cluster.Gpu;
import fairlead.engine.MoreVariables;
import fairlead.engine.TaskEnvironment;
import fairlead.job.Effect;
import fairlead.job.TaskPlacement;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The variables of tasks that share this machine: all of them, and the GPUs that each may see. */
final class LocalEnvironment {
    private static final String HERE = "127.0.0.1";

    private final List<TaskPlacement> tasks;
    private final List<Gpu> gpus;
    private final TaskEnvironment common;

    /**
     * @param ports as the manifest has them
     * @param gpus those of the node: where there are any, a task must see none but its own
     */
    LocalEnvironment(
            Effect.Launch launch, List<Integer> ports, List<Gpu> gpus, MoreVariables more) {
        this.tasks = launch.place().placement().tasks();
        this.gpus = gpus;
        var hosts = Collections.nCopies(tasks.size(), HERE);
        this.common = new TaskEnvironment(launch, hosts, ports, _ -> gpus, more);
    }

    Map<String, String> of(int rank) {
        var variables = new LinkedHashMap<>(common.of(rank));
        if (gpus.isEmpty()) return variables;
        String seen =
                tasks.get(rank).gpus().stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(","));
        variables.put("CUDA_VISIBLE_DEVICES", seen);
        variables.put("NVIDIA_VISIBLE_DEVICES", seen);
        // Without it CUDA counts the fastest GPU first, and the numbers would mean other GPUs.
        variables.put("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
        return variables;
    }
}
