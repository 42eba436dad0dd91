package fairlead.engine;

import fairlead.job.AttemptId;
import fairlead.job.Exit;
import fairlead.job.TaskId;

import java.util.Map;

/**
 * What an engine sees of one attempt.
 *
 * @param exits the tasks that have ended; all others run or are about to
 * @param running whether every task has been started (ended ones count)
 */
public record Observation(AttemptId attempt, boolean running, Map<TaskId, Exit> exits) {
    public Observation {
        exits = Map.copyOf(exits);
    }
}
