package fairlead.storage;

/** A storage could not do it, in one line that its user can act on. */
public final class StorageException extends Exception {
    private static final long serialVersionUID = 1;

    public StorageException(String message) {
        super(message);
    }

    public StorageException(String message, Throwable cause) {
        super(message, cause);
    }
}
