package fairlead.engine;

import fairlead.job.AttemptId;
import fairlead.job.TaskId;

import java.io.IOException;

/**
 * What one task of one attempt has written, standard output and standard error as they came.
 * Offsets count from the task's first byte for ever, also when the oldest part has been dropped.
 */
public interface TaskLog {
    /** The first byte that is still kept. */
    long start() throws IOException;

    /** One past the last byte written so far. */
    long end() throws IOException;

    /**
     * Reads from the offset; returns fewer bytes at the end, and none when there is nothing more or
     * the offset lies before {@link #start}.
     */
    byte[] read(long offset, int bytesMax) throws IOException;

    /** For engines that keep logs as files: a role from outside may be any text, also a path. */
    static void requireName(AttemptId attempt, TaskId task) throws EngineException {
        String role = task.role();
        if (role.contains("/") || role.startsWith(".") || role.contains("\0"))
            throw new EngineException(attempt + " has no task " + task);
    }
}
