package fairlead.server.admission;

/**
 * A job that may not be submitted. Each interface has its own words and codes around the reason.
 */
public final class NotAdmitted extends Exception {
    private static final long serialVersionUID = 1;
    private final Reason reason;
    private final String field;

    /** What stands against it. */
    public enum Reason {
        UNKNOWN_PROJECT,
        STOPPED_PROJECT,
        NOT_A_MEMBER,
        /** It would run as an account that its sender may not use. */
        ACCOUNT,
        /** What it says of the file that it was made from does not fit. */
        ORIGIN,
        UNKNOWN_CLUSTER,
        /** The cluster can never run it. */
        CANNOT_RUN,
        /** No node, or not all of them together, has what it needs. */
        NEVER_FITS
    }

    /**
     * @param field of the spec, where one is to blame; otherwise empty
     */
    NotAdmitted(Reason reason, String field, String message) {
        super(message, null, false, false);
        this.reason = reason;
        this.field = field;
    }

    public Reason reason() {
        return reason;
    }

    public String field() {
        return field;
    }
}
