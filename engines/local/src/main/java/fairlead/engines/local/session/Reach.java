package fairlead.engines.local.session;

import fairlead.engine.EngineException;
import fairlead.engines.local.task.Keeper;
import fairlead.engines.local.task.LiveAttempt;
import fairlead.engines.local.task.LiveTask;
import fairlead.job.AttemptId;
import fairlead.job.TaskId;

/** The task that somebody wants to reach, by its names. */
public record Reach(AttemptId attempt, TaskId task) {
    LiveAttempt find(Keeper keeper) throws EngineException {
        return keeper.find(attempt).orElseThrow(() -> new EngineException(this + " does not run"));
    }

    /** The task if it can be reached. The caller holds the attempt's monitor. */
    LiveTask running(LiveAttempt found) throws EngineException {
        LiveTask live =
                found.tasks.stream()
                        .filter(each -> each.id.equals(task))
                        .findFirst()
                        .orElseThrow(() -> new EngineException(this + " does not run"));
        if (live.exit != null) throw new EngineException(this + " has ended");
        if (found.isStopping()) throw new EngineException(this + " is being stopped");
        return live;
    }

    /** For messages. */
    @Override
    public String toString() {
        return "task " + task + " of " + attempt.job();
    }
}
