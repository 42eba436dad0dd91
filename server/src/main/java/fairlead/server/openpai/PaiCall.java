package fairlead.server.openpai;

import fairlead.server.auth.Caller;
import fairlead.server.wire.Json;

import io.helidon.common.parameters.Parameters;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** One request and its answer. Belongs to the request's thread. */
final class PaiCall {
    /** All that is said of a user or a virtual cluster fits many times. */
    private static final int BODY_BYTES_MAX = 64 * 1024;

    private final ServerRequest request;
    private final ServerResponse response;
    private final Parameters path;
    private Caller caller;

    /**
     * @param path what stands in the path for the names in braces
     */
    PaiCall(ServerRequest request, ServerResponse response, Parameters path) {
        this.request = request;
        this.response = response;
        this.path = path;
    }

    /** Lets the call speak for this person from now on. */
    void enter(Caller known) {
        caller = known;
    }

    /** Whoever the token belongs to; not for a route that needs none. */
    Caller caller() {
        return caller;
    }

    void onlyAdmin() {
        if (!caller.isAdmin()) throw PaiProblem.onlyAdmin();
    }

    /** What stands for {@code {user}} in the path. */
    String user() {
        return path.get("user");
    }

    /** What stands for {@code {vc}} in the path, where it has one. */
    Optional<String> virtualCluster() {
        return path.first("vc").asOptional();
    }

    /** The body's fields; a body that is missing has none. */
    Fields fields() throws IOException {
        if (!request.content().hasEntity()) return Fields.NONE;
        String type = request.headers().first(HeaderNames.CONTENT_TYPE).orElse("application/json");
        byte[] body = body();
        if (isType(type, "application/x-www-form-urlencoded")) return Fields.ofForm(body);
        if (isType(type, "application/json")) return Fields.ofJson(body);
        throw PaiProblem.invalid("the body must be JSON or a form, but is '%.80s'".formatted(type));
    }

    private static boolean isType(String header, String type) {
        int end = header.indexOf(';');
        return (end < 0 ? header : header.substring(0, end)).strip().equalsIgnoreCase(type);
    }

    /** A body that is too long is read to its end, so that its sender hears why it is refused. */
    private byte[] body() throws IOException {
        try (InputStream in = request.content().inputStream()) {
            byte[] bytes = in.readNBytes(BODY_BYTES_MAX + 1);
            if (bytes.length <= BODY_BYTES_MAX) return bytes;
            in.transferTo(OutputStream.nullOutputStream());
            throw new PaiProblem(
                    PaiCode.INVALID_PARAMETERS,
                    413,
                    "the body is larger than " + BODY_BYTES_MAX + " bytes");
        }
    }

    void send(int status, Object body) {
        response.status(status)
                .header(HeaderNames.CONTENT_TYPE, "application/json; charset=utf-8")
                .send(Json.writeBytes(body));
    }

    void sendMessage(int status, String message) {
        send(status, Map.of("message", message));
    }

    void sendText(String text) {
        response.header(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                .send(text.getBytes(StandardCharsets.UTF_8));
    }

    void sendJson(byte[] json) {
        response.header(HeaderNames.CONTENT_TYPE, "application/json; charset=utf-8").send(json);
    }
}
