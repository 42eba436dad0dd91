package fairlead.storage;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;

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
        if (problem instanceof Ended ended) return ended.reason;
        if (isInterrupt(problem)) {
            // Some storages forget it when they say so.
            Thread.currentThread().interrupt();
            return new StorageException(what + ": interrupted", problem);
        }
        return new StorageException(what + ": " + Words.of(problem), problem);
    }

    /** A timeout is of the same kind, but nobody's wish. */
    private static boolean isInterrupt(IOException problem) {
        return problem instanceof ClosedByInterruptException
                || problem instanceof InterruptedIOException
                        && !(problem instanceof SocketTimeoutException);
    }

    static void ifInterrupted(Object file) throws StorageException {
        if (Thread.currentThread().isInterrupted())
            throw new StorageException("interrupted at " + file);
    }
}
