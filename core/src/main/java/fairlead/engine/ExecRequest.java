package fairlead.engine;

import fairlead.job.AttemptId;
import fairlead.job.JobSpec;
import fairlead.job.TaskId;

import java.util.List;
import java.util.Optional;

/**
 * A command that somebody wants to run beside a task, in its surroundings.
 *
 * @param spec the job's, for the account, the working folder and the mounts
 * @param window the terminal that the command shall have; empty for three plain streams
 */
public record ExecRequest(
        AttemptId attempt,
        TaskId task,
        JobSpec spec,
        List<String> command,
        Optional<Window> window) {
    /** What fits on any screen, and into the kernel's own record of a window. */
    public static final int SIDE_MAX = 10_000;

    public ExecRequest {
        command = List.copyOf(command);
        if (command.isEmpty()) throw new IllegalArgumentException("the command is empty");
    }

    /**
     * How large a terminal is, in characters, and of what kind.
     *
     * @param kind as in the variable TERM
     */
    public record Window(int rows, int columns, String kind) {
        public Window {
            if (rows < 1 || rows > SIDE_MAX || columns < 1 || columns > SIDE_MAX)
                throw new IllegalArgumentException(
                        "a terminal has 1 to %d rows and columns, not %d and %d"
                                .formatted(SIDE_MAX, rows, columns));
        }
    }
}
