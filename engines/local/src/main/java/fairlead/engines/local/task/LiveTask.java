package fairlead.engines.local.task;

import fairlead.job.Exit;
import fairlead.job.TaskId;

/** One task of a live attempt, as this server knows it. Guarded by its attempt's monitor. */
public final class LiveTask {
    public final LiveAttempt attempt;
    public final TaskId id;

    /** Unlike that of any other task of any engine; every process of the task bears it. */
    public final String mark;

    /** Whether a shim was spawned or has been seen; it is not spawned again. */
    public boolean started;

    /** Null when no process is under watch. */
    public ExitWatch.Watched shim;

    /** Null until the task has ended. */
    public Exit exit;

    /** Whether it was sent the signal of a stop once more. */
    boolean reminded;

    /** How often a claim without a pid was seen. */
    int doubts;

    LiveTask(LiveAttempt attempt, TaskId id, String mark) {
        this.attempt = attempt;
        this.id = id;
        this.mark = mark;
    }

    /** Its files, and its control group where it has one. */
    public String groupName() {
        var id = attempt.id;
        return id.job() + "." + id.number() + "." + AttemptFiles.name(this.id);
    }
}
