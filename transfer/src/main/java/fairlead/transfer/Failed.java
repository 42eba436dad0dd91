package fairlead.transfer;

/** The end of a call with a message for its user and an exit code. */
public final class Failed extends Exception {
    private static final long serialVersionUID = 1;

    /** Something that was typed or configured cannot be meant. */
    static final int USAGE = 2;

    /** It was understood, and cannot be done. */
    static final int REFUSED = 4;

    private final int exitCode;

    private Failed(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public static Failed usage(String message) {
        return new Failed(USAGE, message);
    }

    public static Failed refused(String message) {
        return new Failed(REFUSED, message);
    }

    int exitCode() {
        return exitCode;
    }
}
