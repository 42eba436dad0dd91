package fairlead.api.launch;

import fairlead.api.spec.SpecBody;

import java.util.List;

/**
 * An attempt whose tasks have their places.
 *
 * @param id of the job
 * @param tasks by rank
 */
public record LaunchedJob(
        String id, int attempt, String owner, SpecBody spec, List<LaunchedTask> tasks) {
    public LaunchedJob {
        tasks = List.copyOf(tasks);
    }
}
