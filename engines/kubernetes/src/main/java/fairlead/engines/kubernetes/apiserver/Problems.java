package fairlead.engines.kubernetes.apiserver;

import io.fabric8.kubernetes.client.KubernetesClientException;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** Failures of the client, each in one line. */
public final class Problems {
    public static final int BAD_REQUEST = 400;
    public static final int UNAUTHORIZED = 401;
    public static final int TIMEOUT = 408;
    public static final int CONFLICT = 409;
    public static final int TOO_MANY = 429;
    public static final int SERVER_FAULT = 500;
    public static final int NOT_FOUND = 404;
    public static final int FORBIDDEN = 403;
    public static final int INVALID = 422;

    /** In the words of refusals that pass without a change of what was refused. */
    private static final Set<String> PASSING =
            Set.of("exceeded quota", "cannot create resource", "is being terminated");

    /** A chain of causes is never longer; one that is has a loop. */
    private static final int CAUSES_MAX = 20;

    private Problems() {}

    /** The API server's own words where it has answered, otherwise why it could not. */
    public static String line(Throwable problem) {
        if (problem instanceof KubernetesClientException answer && answer.getCode() > 0) {
            var status = answer.getStatus();
            String said = status == null ? null : status.getMessage();
            return firstLine(said == null || said.isBlank() ? answer.getMessage() : said)
                    + " ("
                    + answer.getCode()
                    + ")";
        }
        Throwable cause = problem;
        for (int i = 0; i < CAUSES_MAX; i++) {
            String known = known(cause);
            if (!known.isEmpty()) return known;
            if (cause.getCause() == null) break;
            cause = cause.getCause();
        }
        String text = cause.getMessage();
        return text == null ? cause.getClass().getSimpleName() : firstLine(text);
    }

    /** Whether the API server has answered at all, if only to refuse. */
    public static boolean isAnswer(Throwable problem) {
        Throwable cause = problem;
        for (int i = 0; i < CAUSES_MAX && cause != null; i++) {
            if (cause instanceof KubernetesClientException answer && answer.getCode() > 0)
                return true;
            cause = cause.getCause();
        }
        return false;
    }

    /** Whether the API server has judged what was asked, and not only failed to. */
    public static boolean isRefusal(KubernetesClientException problem) {
        int code = problem.getCode();
        return code >= BAD_REQUEST
                && code < SERVER_FAULT
                && code != UNAUTHORIZED
                && code != TIMEOUT
                && code != CONFLICT
                && code != TOO_MANY;
    }

    /**
     * Whether it will judge the same thing in the same way for ever. A quota frees itself, a right
     * can be given, and a namespace that ends is made anew; all else is about the thing.
     */
    public static boolean isForGood(KubernetesClientException problem) {
        if (problem.getCode() == NOT_FOUND) return false;
        String line = line(problem);
        return PASSING.stream().noneMatch(line::contains);
    }

    private static String known(Throwable cause) {
        return switch (cause) {
            case HttpTimeoutException _ -> "no answer in time";
            case TimeoutException _ -> "no answer in time";
            case ConnectException refused ->
                    refused.getMessage() == null
                            ? "connection refused"
                            : firstLine(refused.getMessage()).toLowerCase(Locale.ROOT);
            case UnknownHostException unknown -> "unknown host " + unknown.getMessage();
            case UnresolvedAddressException _ -> "unknown host";
            case KubernetesClientException answer when answer.getCode() > 0 -> line(answer);
            default -> "";
        };
    }

    private static String firstLine(String text) {
        return text.strip().lines().findFirst().orElse("").strip();
    }
}
