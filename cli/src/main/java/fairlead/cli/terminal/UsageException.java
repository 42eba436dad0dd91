package fairlead.cli.terminal;

/** A command line or job file that cannot be meant: the message says what to change. */
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    public UsageException(String message) {
        super(message);
    }
}
