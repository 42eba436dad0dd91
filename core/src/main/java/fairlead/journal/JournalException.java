package fairlead.journal;

/** The journal could not keep or find something. After a failed commit nothing of it is kept. */
public final class JournalException extends Exception {
    private static final long serialVersionUID = 1;

    public JournalException(String message) {
        super(message);
    }

    public JournalException(String message, Throwable cause) {
        super(message, cause);
    }
}
