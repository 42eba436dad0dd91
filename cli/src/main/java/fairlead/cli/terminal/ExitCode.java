package fairlead.cli.terminal;

/** What commands exit with; {@code run} exits with the job's own code instead of 0 or 1. */
public final class ExitCode {
    public static final int OK = 0;
    public static final int JOB_FAILED = 1;
    public static final int USAGE = 2;
    public static final int UNREACHABLE = 3;
    public static final int REFUSED = 4;

    /** What a shell reports for a command that SIGPIPE ended. */
    public static final int OUTPUT_CLOSED = 141;

    private ExitCode() {}
}
