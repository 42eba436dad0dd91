package fairlead.storage.azureblob;

import com.azure.storage.blob.models.BlobStorageException;

import fairlead.storage.StorageException;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Instant;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * What went wrong with Azure, in one line that its user can act on. The exceptions of Azure's
 * client are not handed on as causes: their texts have many lines and may hold an address with its
 * SAS.
 */
final class BlobWords {
    private BlobWords() {}

    /**
     * @param what could not be done
     */
    static StorageException failed(String what, Account account, Throwable problem) {
        for (Throwable each = problem; each != null; each = each.getCause()) {
            if (each instanceof StorageException known) return known;
            if (each instanceof BlobStorageException refusal)
                return new StorageException(what + ": " + refusal(account, refusal));
            if (isInterrupt(each)) {
                Thread.currentThread().interrupt();
                return new StorageException(what + ": interrupted");
            }
            if (each instanceof IOException io)
                return new StorageException(what + ": " + of(account, io));
        }
        if (problem instanceof RuntimeException bug) throw bug;
        throw new IllegalStateException(problem);
    }

    private static boolean isInterrupt(Throwable problem) {
        return problem instanceof InterruptedException
                || problem instanceof ClosedByInterruptException
                || problem instanceof InterruptedIOException
                        && !(problem instanceof SocketTimeoutException)
                || problem instanceof IOException && Thread.currentThread().isInterrupted();
    }

    static boolean isMissing(RuntimeException problem) {
        return problem instanceof BlobStorageException refusal
                && refusal.getStatusCode() == 404
                && !"ContainerNotFound".equals(code(refusal));
    }

    static int status(RuntimeException problem) {
        return problem instanceof BlobStorageException refusal ? refusal.getStatusCode() : 0;
    }

    private static String code(BlobStorageException refusal) {
        return refusal.getErrorCode() == null ? "" : refusal.getErrorCode().toString();
    }

    private static String refusal(Account account, BlobStorageException refusal) {
        String code = code(refusal);
        return switch (refusal.getStatusCode()) {
            case 404 ->
                    code.equals("ContainerNotFound")
                            ? "there is no such container in the account " + account.name()
                            : "there is no such blob, or no longer";
            case 401, 403 -> forbidden(account, code);
            case 412 -> "it has changed meanwhile";
            case 409 -> "the account " + account.name() + " says no (" + code + ")";
            case 400 ->
                    code.equals("InvalidBlobOrBlock")
                            ? "another program has begun to write it and has not ended; delete it,"
                                    + " or wait a week until Azure forgets that"
                            : "the account " + account.name() + " refuses it (" + code + ")";
            default ->
                    "the account %s answers %d %s, also after several tries"
                            .formatted(account.name(), refusal.getStatusCode(), code)
                            .strip();
        };
    }

    private static String forbidden(Account account, String code) {
        String name = account.name();
        Optional<Instant> end = account.end();
        if (end.isPresent() && end.get().isBefore(Instant.now()))
            return "the SAS of the account " + name + " has ended at " + end.get();
        boolean isKey = account.key().isPresent();
        return switch (code) {
            case "AuthorizationPermissionMismatch" ->
                    "the SAS of the account " + name + " does not allow that" + rights(account);
            case "AuthenticationFailed", "AuthorizationFailure", "" ->
                    isKey
                            ? "the key of the account " + name + " is wrong or not let in"
                            : "the SAS of the account " + name + " is wrong or not valid now";
            default ->
                    "the %s of the account %s does not allow that (%s)"
                            .formatted(isKey ? "key" : "SAS", name, code);
        };
    }

    /** The rights that all verbs together need, of which one may be what is missing. */
    private static String rights(Account account) {
        Optional<String> given = account.rights();
        if (given.isEmpty()) return "";
        var lacking = new StringJoiner(", ");
        if (!given.get().contains("r")) lacking.add("read (r)");
        if (!given.get().contains("l")) lacking.add("list (l)");
        if (!given.get().contains("w")) lacking.add("write (w)");
        if (!given.get().contains("d")) lacking.add("delete (d)");
        if (lacking.length() == 0) return "";
        boolean isOne = lacking.toString().indexOf(',') < 0;
        return ": it lacks the " + (isOne ? "right to " : "rights to ") + lacking;
    }

    static String of(Account account, IOException problem) {
        String host = account.host();
        return switch (problem) {
            case UnknownHostException _ -> "there is no host " + host;
            case ConnectException refused -> host + " does not answer (" + firstLine(refused) + ")";
            case NoRouteToHostException _ -> "there is no way to " + host;
            case SocketTimeoutException _ -> host + " does not answer in time";
            case SocketException lost ->
                    "the connection to " + host + " was lost (" + firstLine(lost) + ")";
            default -> firstLine(problem);
        };
    }

    /** Without what follows a question mark: it may be a SAS. */
    private static String firstLine(IOException problem) {
        String text = problem.getMessage() == null ? "" : problem.getMessage();
        String line = text.lines().findFirst().orElse("").replaceAll("\\?\\S*", "").strip();
        return line.isEmpty() ? problem.getClass().getSimpleName() : line;
    }
}
