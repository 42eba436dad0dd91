package fairlead.server.openpai;

import fairlead.dialects.openpai.Invalid;
import fairlead.dialects.openpai.JobFile;
import fairlead.dialects.openpai.JobForm;
import fairlead.server.auth.Caller;
import fairlead.server.http.Framing;
import fairlead.server.http.Head;
import fairlead.server.wire.Json;

import io.helidon.common.parameters.Parameters;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One request and its answer. Belongs to the request's thread. */
final class PaiCall {
    /** All that is said of a user or a virtual cluster fits many times. */
    private static final int BODY_BYTES_MAX = 64 * 1024;

    /** As much as the longest job file may have. */
    private static final int JOB_BYTES_MAX = JobFile.CHARS_MAX;

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String JSON = "application/json; charset=utf-8";
    private static final String PLAIN = "text/plain; charset=utf-8";

    private static final HeaderName WARNING = HeaderNames.create("X-Warning");

    /** A header that every client takes. */
    private static final int WARNING_CHARS_MAX = 2_000;

    private final ServerRequest request;
    private final ServerResponse response;
    private final Parameters path;
    private Caller caller;
    private Fields fields;

    /** The whole body, where it came in chunks. */
    private byte[] chunks;

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

    /** What stands for {@code {user}} in the path, where it has one. */
    Optional<String> user() {
        return path.first("user").asOptional();
    }

    /** The job that the path names. */
    PaiName job() {
        return new PaiName(user(), path.get("job"));
    }

    /** What stands for {@code {file}} in the path. */
    String file() {
        return path.get("file");
    }

    /** One of the query; the last where it is given twice. */
    Optional<String> parameter(String name) {
        List<String> all = request.query().all(name, List::of);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
    }

    /** What stands for {@code {vc}} in the path, where it has one. */
    Optional<String> virtualCluster() {
        return path.first("vc").asOptional();
    }

    /** The body's fields; a body that is missing has none. May be asked again. */
    Fields fields() throws IOException {
        if (fields == null) fields = readFields();
        return fields;
    }

    private Fields readFields() throws IOException {
        if (!request.content().hasEntity()) return Fields.NONE;
        String type = request.headers().first(HeaderNames.CONTENT_TYPE).orElse("application/json");
        byte[] body = body(BODY_BYTES_MAX);
        if (isType(type, FORM)) return Fields.ofForm(body);
        if (isType(type, "application/json")) return Fields.ofJson(body);
        throw PaiProblem.invalid("the body must be JSON or a form, but is '%.80s'".formatted(type));
    }

    private static boolean isType(String header, String type) {
        int end = header.indexOf(';');
        return (end < 0 ? header : header.substring(0, end)).strip().equalsIgnoreCase(type);
    }

    /** A job file: the JSON as it was sent, or as the form of OpenPAI's extension spells it. */
    String jobFile() throws IOException, Invalid {
        String type = request.headers().first(HeaderNames.CONTENT_TYPE).orElse("application/json");
        boolean isForm = isType(type, FORM);
        if (!isForm && !isType(type, "application/json"))
            throw PaiProblem.invalid("a job must be JSON, but is '%.80s'".formatted(type));
        byte[] bytes = request.content().hasEntity() ? body(JOB_BYTES_MAX) : new byte[0];
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return isForm ? JobForm.json(text) : text;
        } catch (CharacterCodingException _) {
            throw PaiProblem.invalid("the job is not UTF-8");
        }
    }

    /** Reads a body that comes in chunks to its end: one in bad chunks must not reach a route. */
    void readChunks() throws IOException {
        if (!request.headers().contains(HeaderNames.TRANSFER_ENCODING)) return;
        chunks = body(caller == null ? BODY_BYTES_MAX : JOB_BYTES_MAX);
    }

    /** A body that is too long is read to its end, so that its sender hears why it is refused. */
    private byte[] body(int bytesMax) throws IOException {
        if (chunks != null) {
            if (chunks.length <= bytesMax) return chunks;
            throw tooLarge(bytesMax);
        }
        try (InputStream in = request.content().inputStream()) {
            return Framing.body(in, bytesMax).orElseThrow(() -> tooLarge(bytesMax));
        }
    }

    private static PaiProblem tooLarge(int bytesMax) {
        return new PaiProblem(
                PaiCode.INVALID_PARAMETERS, 413, "the body is larger than " + bytesMax + " bytes");
    }

    /** What the sender should know, in one line of plain characters. */
    void warn(Collection<String> warnings) {
        if (warnings.isEmpty()) return;
        String line = String.join("; ", warnings).replaceAll("[^ -~]", "?");
        response.header(
                WARNING,
                line.length() <= WARNING_CHARS_MAX ? line : line.substring(0, WARNING_CHARS_MAX));
    }

    void send(int status, Object body) {
        response.status(status).header(HeaderNames.CONTENT_TYPE, JSON);
        Head.send(request, response, Json.writeBytes(body));
    }

    void sendMessage(int status, String message) {
        send(status, Map.of("message", message));
    }

    void sendText(String text) {
        response.header(HeaderNames.CONTENT_TYPE, PLAIN);
        Head.send(request, response, text.getBytes(StandardCharsets.UTF_8));
    }

    void sendJson(byte[] json) {
        response.header(HeaderNames.CONTENT_TYPE, JSON);
        Head.send(request, response, json);
    }

    /**
     * JSON for who asks for JSON, and otherwise the same as plain text: OpenPAI's first portal
     * takes the file for a text, and reads it itself.
     */
    void sendFile(String json) {
        boolean asksJson =
                request.headers()
                        .first(HeaderNames.ACCEPT)
                        .filter(types -> types.contains("application/json"))
                        .isPresent();
        if (asksJson) sendJson(json.getBytes(StandardCharsets.UTF_8));
        else sendText(json);
    }

    /** A file for the one who may have it, kept by nobody on the way. */
    void sendSecret(byte[] text) {
        response.header(HeaderNames.CONTENT_TYPE, PLAIN)
                .header(HeaderNames.CACHE_CONTROL, "no-store");
        Head.send(request, response, text);
    }

    /** For JSON that is too long to be held whole. */
    OutputStream stream() {
        response.header(HeaderNames.CONTENT_TYPE, JSON);
        Head.endStream(request, response);
        return response.outputStream();
    }
}
