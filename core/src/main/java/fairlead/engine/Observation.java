package fairlead.engine;

import fairlead.job.AttemptId;
import fairlead.job.Endpoints;
import fairlead.job.Exit;
import fairlead.job.TaskId;

import java.util.Map;
import java.util.Optional;

/**
 * What an engine sees of one attempt.
 *
 * @param exits the tasks that have ended; all others run or are about to
 * @param running whether every task has been started (ended ones count)
 * @param gpuMemoryBytes the most that it was seen to hold of one GPU at once, by the driver; zero
 *     when nobody has looked
 * @param trouble why a task has not been started yet, in words for the owner, such as an image that
 *     cannot be fetched; empty when nothing is known to be wrong
 * @param endpoints the ports as {@link TaskEnvironment} takes them; given while it runs
 */
public record Observation(
        AttemptId attempt,
        boolean running,
        Map<TaskId, Exit> exits,
        long gpuMemoryBytes,
        Optional<String> trouble,
        Endpoints endpoints) {
    public Observation {
        exits = Map.copyOf(exits);
    }

    public Observation(AttemptId attempt, boolean running, Map<TaskId, Exit> exits) {
        this(attempt, running, exits, 0);
    }

    public Observation(
            AttemptId attempt, boolean running, Map<TaskId, Exit> exits, long gpuMemoryBytes) {
        this(attempt, running, exits, gpuMemoryBytes, Optional.empty(), Endpoints.NONE);
    }
}
