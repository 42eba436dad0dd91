package fairlead.cli.terminal;

/** The end of a command with a message and an exit code of its own. */
public final class Failure extends Exception {
    private static final long serialVersionUID = 1;
    private final int exitCode;

    public Failure(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
