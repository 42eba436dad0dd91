package fairlead.server;

/** The server cannot start: one line for its user, and the code to exit with. */
public final class StartException extends Exception {
    private static final long serialVersionUID = 1;

    /** Wrong use of flags or settings. */
    static final int USAGE = 2;

    /** Something else holds what the server needs. */
    static final int REFUSED = 4;

    private final int exitCode;

    StartException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
