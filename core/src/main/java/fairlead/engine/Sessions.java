package fairlead.engine;

import fairlead.job.AttemptId;
import fairlead.job.TaskId;

/** The way into the running tasks of an engine. Any thread. */
public interface Sessions {
    /**
     * Adds a line to what the tasks of a live attempt write, for whoever reads their logs. One that
     * does not know the attempt does nothing.
     */
    void note(AttemptId attempt, String line) throws EngineException;

    /**
     * Starts a command beside a running task: as the same account, in the same folder, with the
     * same variables, devices and mounts. This is the one call that starts a new thing each time.
     *
     * @throws EngineException in words for the user: the task does not run
     */
    ExecSession exec(ExecRequest request) throws EngineException;

    /**
     * Joins a running task: reads from now on what it writes, and writes to its standard input if
     * its spec has asked for one. Closing the session leaves the task alone; waiting for the
     * session's end gives the task's exit code.
     *
     * @throws EngineException in words for the user: the task does not run
     */
    ExecSession attach(AttemptId attempt, TaskId task) throws EngineException;

    /**
     * A connection to a port of a running task, as its input and output. Each of the two ends
     * alone; when both have, or the port is gone, waiting for it gives zero.
     *
     * @throws EngineException in words for the user: nobody listens there
     */
    ExecSession forward(AttemptId attempt, TaskId task, int port) throws EngineException;
}
