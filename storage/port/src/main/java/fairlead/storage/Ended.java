package fairlead.storage;

import java.io.IOException;

/** Carries a reason through code that knows only input and output. */
final class Ended extends IOException {
    private static final long serialVersionUID = 1;

    private final StorageException reason;

    Ended(StorageException reason) {
        super(reason.getMessage(), reason);
        this.reason = reason;
    }

    /** Why it failed: in the words of its cause, or the reason that it carries. */
    static StorageException failed(String what, IOException problem) {
        return problem instanceof Ended ended
                ? ended.reason
                : new StorageException(what + ": " + Words.of(problem), problem);
    }

    static void ifInterrupted(Object file) throws StorageException {
        if (Thread.currentThread().isInterrupted())
            throw new StorageException("interrupted at " + file);
    }
}
