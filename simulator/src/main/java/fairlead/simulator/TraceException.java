package fairlead.simulator;

/** A trace that cannot be replayed, with the place in its file. Nothing of it was used. */
public final class TraceException extends Exception {
    private static final long serialVersionUID = 1;

    public TraceException(String message) {
        super(message);
    }
}
