package fairlead.engine;

import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
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

    /**
     * Why this engine can never run the spec, in words for its owner; empty when it may. Facts that
     * can change until the job starts, such as a missing folder, are no refusal.
     */
    default Optional<String> refuses(JobSpec spec) {
        return Optional.empty();
    }

    /**
     * Whether tasks run inside their images: then a job without a working folder begins in its
     * image's own, and a job without an image may be refused.
     */
    default boolean runsImages() {
        return false;
    }

    /**
     * Whether tasks run on the server's own machine: then those outside images see its files, and
     * all of them reach it where it listens.
     */
    default boolean runsHere() {
        return !runsImages();
    }

    /** What this place has, whether used or not. */
    List<Node> nodes() throws EngineException;

    /** Opens what a task has written. */
    TaskLog log(AttemptId attempt, TaskId task) throws EngineException;

    /**
     * Adds a line to what the tasks of a live attempt write, for whoever reads their logs. An
     * engine that cannot, and one that does not know the attempt, does nothing.
     */
    default void note(AttemptId attempt, String line) throws EngineException {}

    /**
     * Starts a command beside a running task: as the same account, in the same folder, with the
     * same variables, devices and mounts. This is the one call that starts a new thing each time.
     *
     * @throws EngineException in words for the user: the task does not run, or this engine cannot
     */
    default ExecSession exec(ExecRequest request) throws EngineException {
        throw new EngineException(
                "the cluster "
                        + request.spec().cluster()
                        + " cannot run commands inside its tasks");
    }

    /**
     * Joins a running task: reads from now on what it writes, and writes to its standard input if
     * its spec has asked for one. Closing the session leaves the task alone; waiting for the
     * session's end gives the task's exit code.
     *
     * @throws EngineException in words for the user: the task does not run, or this engine cannot
     */
    default ExecSession attach(AttemptId attempt, TaskId task) throws EngineException {
        throw new EngineException("this cluster cannot attach to its tasks");
    }

    /**
     * A connection to a port of a running task, as its input and output. Each of the two ends
     * alone; when both have, or the port is gone, waiting for it gives zero.
     *
     * @throws EngineException in words for the user: nobody listens there, or this engine cannot
     */
    default ExecSession forward(AttemptId attempt, TaskId task, int port) throws EngineException {
        throw new EngineException("this cluster cannot forward ports of its tasks");
    }

    /** What others have started on this cluster's nodes, as far as their owners are known. */
    default List<Guest> guests() throws EngineException {
        return List.of();
    }

    /**
     * Removes the logs of all attempts of a finished job, and the storage that was made for it. A
     * repeat and an unknown job are fine.
     */
    void deleteLogs(JobId job) throws EngineException;

    /** Facts about this engine that users should know, such as limits that it cannot enforce. */
    List<String> notes();

    /** The same for the owner of a job: also what in its spec this engine passes over. */
    default List<String> notes(JobSpec spec) {
        return notes();
    }

    /** What the owner of a job must know at once, as the engine does not do what the spec says. */
    default List<String> warnings(JobSpec spec) {
        return List.of();
    }

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
