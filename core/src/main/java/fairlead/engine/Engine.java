package fairlead.engine;

import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.TaskId;

import java.io.Closeable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A place where attempts run. Every call may be repeated and may come from any thread: the attempt
 * is the idempotency key. What was launched outlives this object and the server, and is seen again
 * by the next one.
 */
public interface Engine extends Closeable {
    /**
     * Returns when the engine has accepted the attempt, or already had it. After {@link #stop} of
     * the same attempt it starts nothing.
     */
    void launch(Effect.Launch launch) throws EngineException;

    /**
     * Asks for a stop and returns at once: polite first, by force after the grace. A repeat does
     * not lengthen the grace. An attempt that the engine never knew counts as stopped: a later
     * launch of it starts nothing, and observations show it without a running task or not at all.
     */
    void stop(AttemptId attempt, Duration grace) throws EngineException;

    /**
     * Stops by force what may still run of the attempt, then no longer shows it in observations.
     * Logs stay. An unknown attempt is not an error.
     */
    void forget(AttemptId attempt) throws EngineException;

    /** Everything launched and not forgotten, as it is now. An attempt missing here is gone. */
    List<Observation> observe() throws EngineException;

    /** What it can do for a job, and what it cannot. */
    Terms terms();

    /** The way into its running tasks; empty where there is none. */
    Optional<Sessions> sessions();

    /** What this place has, whether used or not. */
    List<Node> nodes() throws EngineException;

    /** Opens what a task has written. */
    TaskLog log(AttemptId attempt, TaskId task) throws EngineException;

    /** What others have started on this cluster's nodes, as far as their owners are known. */
    List<Guest> guests() throws EngineException;

    /** What its GPUs do now, as far as it can see: none where nothing runs or nobody can say. */
    List<GpuUse> gpuUse() throws EngineException;

    /**
     * Removes the logs of all attempts of a finished job, and the storage that was made for it. A
     * repeat and an unknown job are fine.
     */
    void deleteLogs(JobId job) throws EngineException;

    /**
     * Calls this whenever a new observation would differ. The call comes from any thread, does not
     * block, and may be spurious; it is a hint, so whoever needs certainty also looks from time to
     * time.
     */
    void onChange(Runnable listener);

    /** Lets go of threads and files. Running attempts go on. */
    @Override
    void close();
}
