package fairlead.server.http;

/** A call that is refused, in the words of the interface that it came by. */
public abstract class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    protected Refusal(String message) {
        super(message, null, false, false);
    }

    public abstract int status();

    /** What its sender reads, as JSON. */
    public abstract Object body();
}
