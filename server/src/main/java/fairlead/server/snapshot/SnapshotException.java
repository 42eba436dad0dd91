package fairlead.server.snapshot;

/** A file that cannot be planned again, and why. */
public final class SnapshotException extends Exception {
    private static final long serialVersionUID = 1;

    public SnapshotException(String message) {
        super(message);
    }
}
