package fairlead.control;

/** A request that the controller does not carry out, with the reason in words for its sender. */
public final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    public enum Kind {
        NOT_FOUND,
        /** Not for this person. */
        FORBIDDEN,
        CONFLICT,
        /** Too much is waiting already; later it may work. */
        BUSY,
        /** The journal cannot be written; nothing was done. */
        UNAVAILABLE,
        /** No answer in time: what was asked may be done, or may still be. */
        UNDECIDED
    }

    private final Kind kind;

    public Refused(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
