package fairlead.storage.hdfs;

import fairlead.storage.Address;
import fairlead.storage.StorageException;
import fairlead.storage.Words;

import org.apache.hadoop.ipc.RemoteException;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;

/** What Hadoop's client says in many lines, in one. */
final class HdfsWords {
    private HdfsWords() {}

    static StorageException failed(String what, Address root, IOException problem) {
        if (isInterrupt(problem)) {
            // Hadoop's client takes the sign away with it.
            Thread.currentThread().interrupt();
            return new StorageException(what + ": interrupted", problem);
        }
        if (isAway(problem)) {
            return new StorageException(
                    "%s: the NameNode %s does not answer (%s)"
                            .formatted(what, root.authority(), deepest(problem)),
                    problem);
        }
        IOException told =
                problem instanceof RemoteException remote
                        ? remote.unwrapRemoteException()
                        : problem;
        return new StorageException(what + ": " + Words.of(told), problem);
    }

    private static boolean isAway(Throwable problem) {
        for (Throwable each = problem; each != null; each = each.getCause()) {
            if (each instanceof ConnectException
                    || each instanceof EOFException
                    || each instanceof SocketTimeoutException
                    || each instanceof NoRouteToHostException
                    || each instanceof UnknownHostException) return true;
        }
        return false;
    }

    private static boolean isInterrupt(Throwable problem) {
        for (Throwable each = problem; each != null; each = each.getCause()) {
            boolean isTimeout = each instanceof SocketTimeoutException;
            if (each instanceof InterruptedIOException && !isTimeout
                    || each instanceof InterruptedException
                    || each instanceof ClosedByInterruptException) return true;
        }
        return false;
    }

    /** The first line of the innermost cause: those around it repeat it with hints for experts. */
    static String deepest(Throwable problem) {
        Throwable deepest = problem;
        while (deepest.getCause() != null) deepest = deepest.getCause();
        String text = deepest.getMessage() == null ? "" : deepest.getMessage();
        String line = text.lines().findFirst().orElse("").strip();
        return switch (deepest) {
            case UnknownHostException _ -> "unknown host " + line;
            case EOFException _ -> "connection cut";
            default -> line.isEmpty() ? deepest.getClass().getSimpleName() : line;
        };
    }
}
