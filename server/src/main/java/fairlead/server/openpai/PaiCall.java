package fairlead.server.openpai;

import fairlead.dialects.openpai.Invalid;
import fairlead.dialects.openpai.JobFile;
import fairlead.dialects.openpai.JobForm;
import fairlead.server.http.Call;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A call as OpenPAI's routes see it. Belongs to the request's thread. */
final class PaiCall extends Call {
    /** All that is said of a user or a virtual cluster fits many times. */
    private static final int BODY_BYTES_MAX = 64 * 1024;

    /** As much as the longest job file may have. */
    private static final int JOB_BYTES_MAX = JobFile.CHARS_MAX;

    private static final String FORM = "application/x-www-form-urlencoded";
    static final String JSON = "application/json; charset=utf-8";
    private static final String PLAIN = "text/plain; charset=utf-8";

    private static final String WARNING = "X-Warning";

    /** A header that every client takes. */
    private static final int WARNING_CHARS_MAX = 2_000;

    private Fields fields;

    PaiCall(ServerRequest request, ServerResponse response) {
        super(request, response);
    }

    void onlyAdmin() {
        if (!caller().isAdmin()) throw PaiProblem.onlyAdmin();
    }

    /** What stands for {@code {user}} in the path, where it has one. */
    Optional<String> user() {
        return inPath("user");
    }

    /** The job that the path names. */
    PaiName job() {
        return new PaiName(user(), inPath("job").orElseThrow());
    }

    /** What stands for {@code {file}} in the path. */
    String file() {
        return inPath("file").orElseThrow();
    }

    /** One of the query; the last where it is given twice. */
    @Override
    public Optional<String> parameter(String name) {
        List<String> all = request().query().all(name, List::of);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
    }

    /** What stands for {@code {vc}} in the path, where it has one. */
    Optional<String> virtualCluster() {
        return inPath("vc");
    }

    /** The body's fields; a body that is missing has none. May be asked again. */
    Fields fields() throws IOException {
        if (fields == null) fields = readFields();
        return fields;
    }

    private Fields readFields() throws IOException {
        if (!request().content().hasEntity()) return Fields.NONE;
        String type =
                request().headers().first(HeaderNames.CONTENT_TYPE).orElse("application/json");
        byte[] body = read(BODY_BYTES_MAX);
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
        String type =
                request().headers().first(HeaderNames.CONTENT_TYPE).orElse("application/json");
        boolean isForm = isType(type, FORM);
        if (!isForm && !isType(type, "application/json"))
            throw PaiProblem.invalid("a job must be JSON, but is '%.80s'".formatted(type));
        byte[] bytes = request().content().hasEntity() ? read(JOB_BYTES_MAX) : new byte[0];
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return isForm ? JobForm.json(text) : text;
        } catch (CharacterCodingException _) {
            throw PaiProblem.invalid("the job is not UTF-8");
        }
    }

    /** What the sender should know, in one line of plain characters. */
    void warn(Collection<String> warnings) {
        if (warnings.isEmpty()) return;
        String line = String.join("; ", warnings).replaceAll("[^ -~]", "?");
        header(
                WARNING,
                line.length() <= WARNING_CHARS_MAX ? line : line.substring(0, WARNING_CHARS_MAX));
    }

    @Override
    public void sendJson(int status, byte[] json) {
        status(status);
        send(JSON, json);
    }

    void sendNothing() {
        sendNothing(204);
    }

    void sendMessage(int status, String message) {
        send(status, Map.of("message", message));
    }

    /**
     * JSON for who asks for JSON, and otherwise the same as plain text: OpenPAI's first portal
     * takes the file for a text, and reads it itself.
     */
    void sendFile(String json) {
        boolean asksJson =
                request()
                        .headers()
                        .first(HeaderNames.ACCEPT)
                        .filter(types -> types.contains("application/json"))
                        .isPresent();
        if (asksJson) sendJson(200, json.getBytes(StandardCharsets.UTF_8));
        else sendText(json);
    }

    /** A file for the one who may have it, kept by nobody on the way. */
    void sendSecret(byte[] text) {
        header(HeaderNames.CACHE_CONTROL_NAME, "no-store");
        send(PLAIN, text);
    }

    /** For JSON that is too long to be held whole. */
    OutputStream stream() {
        return stream(JSON);
    }
}
