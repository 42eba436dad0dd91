package fairlead.server.http;

import fairlead.api.ErrorCode;
import fairlead.server.wire.Json;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;

/** One request and its answer, in the words that routes need. Belongs to the request's thread. */
final class Call {
    /** A body up to this size is read without asking. */
    private static final int SMALL_BYTES = 256 * 1024;

    /** Large bodies at the same time: each takes several times its 16 MiB while it is read. */
    private static final int LARGE_BODIES_MAX = 2;

    private static final Semaphore LARGE_BODIES = new Semaphore(LARGE_BODIES_MAX, true);

    private final ServerRequest request;
    private final ServerResponse response;
    private final String user;

    Call(ServerRequest request, ServerResponse response, String user) {
        this.request = request;
        this.response = response;
        this.user = user;
    }

    /** Whoever the token belongs to; empty on a route that needs none. */
    String user() {
        return user;
    }

    /** What stands for {@code {id}} in the path. */
    String id() {
        return request.path().pathParameters().get("id");
    }

    Optional<String> parameter(String name) {
        return request.query().first(name).asOptional().filter(text -> !text.isEmpty());
    }

    boolean flag(String name) {
        return switch (parameter(name).orElse("false")) {
            case "true" -> true;
            case "false" -> false;
            default -> throw Problem.invalid(name, name + ": must be true or false");
        };
    }

    OptionalLong number(String name, long least, long most) {
        Optional<String> text = parameter(name);
        if (text.isEmpty()) return OptionalLong.empty();
        try {
            long number = Long.parseLong(text.get());
            if (number >= least && number <= most) return OptionalLong.of(number);
        } catch (NumberFormatException _) {
            // Told below, in the same words as a number out of range.
        }
        throw Problem.invalid(
                name,
                "%s: must be a whole number from %d to %d, but is '%.40s'"
                        .formatted(name, least, most, text.get()));
    }

    Optional<String> lastEventId() {
        return request.headers().first(HeaderNames.create("Last-Event-ID"));
    }

    /** An empty body reads as an empty object. */
    <T> T body(Class<T> type) throws IOException, InterruptedException {
        long told = request.headers().contentLength().orElse(-1);
        if (!request.content().hasEntity() || told == 0) return Json.read(type, "{}");
        if (told > 0 && told <= SMALL_BYTES) return read(type);
        LARGE_BODIES.acquire();
        try {
            return read(type);
        } finally {
            LARGE_BODIES.release();
        }
    }

    private <T> T read(Class<T> type) throws IOException {
        try (InputStream in = request.content().inputStream()) {
            byte[] bytes = in.readNBytes(HttpFront.BODY_BYTES_MAX + 1);
            if (bytes.length > HttpFront.BODY_BYTES_MAX)
                throw new Problem(ErrorCode.TOO_LARGE, HttpFront.TOO_LARGE);
            return Json.read(type, bytes);
        }
    }

    void send(int status, Object body) {
        sendJson(status, Json.writeBytes(body));
    }

    void sendJson(int status, byte[] json) {
        response.status(status).header(HeaderNames.CONTENT_TYPE, "application/json").send(json);
    }

    void sendText(String text) {
        sendText("text/plain; charset=utf-8", text);
    }

    void sendMetrics(String text) {
        sendText("text/plain; version=0.0.4; charset=utf-8", text);
    }

    private void sendText(String contentType, String text) {
        response.header(HeaderNames.CONTENT_TYPE, contentType)
                .send(text.getBytes(StandardCharsets.UTF_8));
    }

    void sendNothing(int status) {
        response.status(status).send();
    }

    void header(String name, String value) {
        response.header(name, value);
    }

    /** Begins an answer of unknown length. */
    OutputStream stream(String contentType) {
        response.header(HeaderNames.CONTENT_TYPE, contentType)
                .header(HeaderNames.CACHE_CONTROL, "no-store");
        return response.outputStream();
    }
}
