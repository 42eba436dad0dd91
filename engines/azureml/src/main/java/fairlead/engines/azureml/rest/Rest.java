package fairlead.engines.azureml.rest;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes calls. It tries once, and once more with a new token; when to try again is the caller's
 * decision. While the service has asked for patience, calls fail here without bothering it. Any
 * thread.
 */
public final class Rest implements AutoCloseable {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(10);

    /** The slowest answer seen to a PUT took 4 seconds. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

    private static final int UNAUTHORIZED = 401;
    private static final int ERRORS = 400;

    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(CONNECT_MAX)
                    .build();
    private final Tokens tokens;

    /** By the clock that nobody sets. */
    private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());

    public Rest(Tokens tokens) {
        this.tokens = tokens;
    }

    /**
     * A call with our token.
     *
     * @param body as JSON; null for none
     */
    public Answer call(String method, URI address, Object body) throws ServiceException {
        requirePatience(method, address);
        String token = tokens.token();
        try {
            return send(method, address, Map.of("Authorization", "Bearer " + token), body);
        } catch (ServiceException refused) {
            // A registry that refuses an image is reported as 401 too, with another code.
            boolean isOfToken =
                    refused.status() == UNAUTHORIZED && refused.code().contains("Token");
            if (!isOfToken) throw refused;
            tokens.refused(token);
        }
        String another = tokens.token();
        return send(method, address, Map.of("Authorization", "Bearer " + another), body);
    }

    /** A read that needs no token: the address itself is the right to it. */
    public Answer open(URI address, Map<String, String> headers) throws ServiceException {
        return send("GET", address, headers, null);
    }

    /** What to wait before the next call with our token. */
    public Duration quiet() {
        return Duration.ofNanos(Math.max(0, quietUntil.get() - System.nanoTime()));
    }

    private void requirePatience(String method, URI address) throws ServiceException {
        Duration left = quiet();
        if (left.isPositive())
            throw new ServiceException(
                    "%s: the service has asked for patience for %d more seconds"
                            .formatted(what(method, address), left.toSeconds() + 1),
                    null);
    }

    private Answer send(String method, URI address, Map<String, String> headers, Object body)
            throws ServiceException {
        var request = HttpRequest.newBuilder(address).timeout(ANSWER_MAX);
        headers.forEach(request::header);
        if (body == null) {
            request.method(method, BodyPublishers.noBody());
        } else {
            request.header("Content-Type", "application/json");
            request.method(method, BodyPublishers.ofString(Doc.text(body), StandardCharsets.UTF_8));
        }
        try {
            var response = http.send(request.build(), BodyHandlers.ofByteArray());
            var answer = new Answer(response.statusCode(), response.body());
            if (answer.status() < ERRORS) return answer;
            var failure =
                    Failures.of(
                            what(method, address),
                            answer,
                            response.headers().firstValue("Retry-After"));
            failure.pause().ifPresent(this::beQuiet);
            throw failure;
        } catch (IOException problem) {
            throw new ServiceException(
                    what(method, address) + ": no answer (" + problem + ")", problem);
        } catch (InterruptedException problem) {
            Thread.currentThread().interrupt();
            throw new ServiceException(what(method, address) + ": interrupted", problem);
        }
    }

    private void beQuiet(Duration pause) {
        long until = System.nanoTime() + pause.toNanos();
        quietUntil.accumulateAndGet(until, (old, now) -> now - old > 0 ? now : old);
    }

    /** The last words of the path alone: a query may hold the right to a file. */
    private static String what(String method, URI address) {
        String path = address.getPath();
        int workspace = path.indexOf("/workspaces/");
        return method + " " + (workspace < 0 ? path : path.substring(workspace));
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
