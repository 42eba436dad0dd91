package fairlead.cli.line;

import fairlead.cli.terminal.ExitCode;

/**
 * A line that a reader can type, and what it does. A test runs each of them from the repository's
 * root, with {@link #JOB} replaced by the id of a job that has finished.
 *
 * @param exit what the line exits with when that job succeeded
 */
public record Example(String line, String says, int exit) {
    /** Stands for a job's id in help texts, as its last characters. */
    public static final String JOB = "60ce2fc7";

    public static Example of(String line, String says) {
        return new Example(line, says, ExitCode.OK);
    }

    /** A line that needs a config file, which the root of the repository does not have. */
    public static Example withoutConfig(String line, String says) {
        return new Example(line, says, ExitCode.USAGE);
    }

    /** A line that is refused for a job that has ended. */
    public static Example refusedWhenEnded(String line, String says) {
        return new Example(line, says, ExitCode.REFUSED);
    }
}
