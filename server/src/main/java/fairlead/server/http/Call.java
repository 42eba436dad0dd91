package fairlead.server.http;

import fairlead.api.ErrorCode;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.server.auth.Caller;
import fairlead.wire.Json;

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
import java.util.function.BooleanSupplier;

/** One request and its answer, in the words that routes need. Belongs to the request's thread. */
public class Call implements AutoCloseable {
    /** Every call of the portal has it, with any value. */
    public static final String PORTAL_HEADER = "X-Fairlead-Portal";

    /** A body up to this size is read without asking. */
    private static final int SMALL_BYTES = 256 * 1024;

    /** A report of a training script has some hundred. */
    private static final int SHORT_BYTES_MAX = 64 * 1024;

    /** Each takes many times the size of its body or answer in memory until it is answered. */
    private static final int LARGE_CALLS_MAX = 1;

    private static final Semaphore LARGE_CALLS = new Semaphore(LARGE_CALLS_MAX, true);

    private final ServerRequest request;
    private final ServerResponse response;
    private Caller caller;
    private JobId job;
    private BooleanSupplier tokenWorks = () -> true;

    /** The whole body, where it came in chunks. */
    private byte[] chunks;

    private String subject = "";
    private boolean isLarge;
    private boolean isStreaming;

    public Call(ServerRequest request, ServerResponse response) {
        this.request = request;
        this.response = response;
    }

    /** Whether a page of ours asks, and not a browser's own window or another program. */
    public static boolean isOfPortal(ServerRequest request) {
        return request.headers().contains(HeaderNames.create(PORTAL_HEADER));
    }

    /**
     * Lets the call speak for this person from now on.
     *
     * @param valid whether their token still works
     */
    public void enter(Caller known, BooleanSupplier valid) {
        caller = known;
        tokenWorks = valid;
    }

    /** Asked by answers that go on for long: meanwhile the token may have been taken away. */
    boolean tokenWorks() {
        return tokenWorks.getAsBoolean();
    }

    /** Whoever the token belongs to; not for a route that needs none. */
    public Caller caller() {
        return caller;
    }

    /** Lets the call speak for this job from now on. */
    public void enter(JobId known) {
        job = known;
    }

    /** Refuses every job but this one. */
    public void onlyJob(JobId wanted) {
        if (!wanted.equals(job))
            throw new Problem(ErrorCode.FORBIDDEN, "the token is that of another job");
    }

    /** Refuses everyone who is no admin. */
    public void onlyAdmin(String what) {
        if (!caller.isAdmin())
            throw new Problem(
                    ErrorCode.FORBIDDEN,
                    "only an admin may %s; you are %s".formatted(what, caller.name()));
    }

    /** Says what the call is about, where its path does not. */
    public void about(String what) {
        subject = what;
    }

    /** What came of the call, as far as it is answered. */
    Answered answered(String method, String path) {
        String named =
                subject.isEmpty()
                        ? inPath("id").or(() -> inPath("name")).orElse("")
                                + inPath("token")
                                        .or(() -> inPath("secret"))
                                        .map(part -> "/" + part)
                                        .orElse("")
                        : subject;
        return new Answered(
                caller == null ? "" : caller.name(),
                address(),
                method,
                path,
                named,
                response.status().code());
    }

    /** Where the call comes from. */
    public String address() {
        return request.remotePeer().host();
    }

    /** Refuses everyone but the job's owner, its project's admins and admins. */
    public void onlyOwner(Job job, String what) {
        if (!caller.manages(job)) refuse(job, what);
    }

    /** Refuses everyone but the job's owner and admins: it is done in the owner's name. */
    public void onlyInPerson(Job job, String what) {
        if (!caller.owns(job)) refuse(job, what);
    }

    private void refuse(Job job, String what) {
        throw new Problem(
                ErrorCode.FORBIDDEN,
                "only %s and admins may %s %s; you are %s"
                        .formatted(job.owner(), what, job.id(), caller.name()));
    }

    /** Whether an answer has begun, so that it is too late for a refusal. */
    boolean hasBegun() {
        return isStreaming || response.isSent();
    }

    /** As it came in. */
    public ServerRequest request() {
        return request;
    }

    /** What stands for this name, in braces, in the path of the route. */
    public Optional<String> inPath(String name) {
        return request.path().pathParameters().first(name).asOptional();
    }

    /** What stands for {@code {name}} in the path. */
    public String name() {
        return request.path().pathParameters().get("name");
    }

    /** What stands for {@code {id}} in the path. */
    public String id() {
        return request.path().pathParameters().get("id");
    }

    /** What stands for {@code {uuid}} in the path. */
    public String uuid() {
        return request.path().pathParameters().get("uuid");
    }

    /** What stands for {@code {session}} in the path. */
    public String session() {
        return request.path().pathParameters().get("session");
    }

    public Optional<String> parameter(String name) {
        return request.query().first(name).asOptional().filter(text -> !text.isEmpty());
    }

    public boolean flag(String name) {
        return switch (parameter(name).orElse("false")) {
            case "true" -> true;
            case "false" -> false;
            default -> throw Problem.invalid(name, name + ": must be true or false");
        };
    }

    public OptionalLong number(String name, long least, long most) {
        Optional<String> text = parameter(name);
        if (text.isEmpty()) return OptionalLong.empty();
        try {
            long number = Long.parseLong(text.get());
            if (number >= least && number <= most) return OptionalLong.of(number);
        } catch (NumberFormatException _) {
            // Refused below, in the same words as a number out of range.
        }
        throw Problem.invalid(
                name,
                "%s: must be a whole number from %d to %d, but is '%.40s'"
                        .formatted(name, least, most, text.get()));
    }

    public Optional<String> lastEventId() {
        return request.headers().first(HeaderNames.create("Last-Event-ID"));
    }

    /** An empty body reads as an empty object. */
    public <T> T body(Class<T> type) throws IOException, InterruptedException {
        long told = request.headers().contentLength().orElse(-1);
        if (!request.content().hasEntity() || told == 0) return Json.read(type, "{}");
        if (told < 0 || told > SMALL_BYTES) takeTurn();
        return Json.read(type, read(HttpFront.BODY_BYTES_MAX));
    }

    /** A body that is never long, whoever sends it. */
    public byte[] shortBody() throws IOException {
        return request.content().hasEntity() ? read(SHORT_BYTES_MAX) : new byte[0];
    }

    /** Waits until no other large call is under way; from then on this is one. */
    public void takeTurn() throws InterruptedException {
        if (isLarge) return;
        LARGE_CALLS.acquire();
        isLarge = true;
    }

    /** To be called when the answer is complete. */
    @Override
    public void close() {
        if (isLarge) LARGE_CALLS.release();
        isLarge = false;
    }

    /**
     * Reads a body that comes in chunks to its end: one in bad chunks must not reach a route, not
     * even one that wants no body. That of a stranger, or of a job, is never long.
     */
    void readChunks() throws IOException, InterruptedException {
        if (!request.headers().contains(HeaderNames.TRANSFER_ENCODING)) return;
        boolean isKnown = caller != null;
        if (isKnown) takeTurn();
        chunks = read(isKnown ? HttpFront.BODY_BYTES_MAX : SHORT_BYTES_MAX);
    }

    /** A body that is too long is read to its end, so that its sender hears why it is refused. */
    public byte[] read(int bytesMax) throws IOException {
        if (chunks != null) {
            if (chunks.length <= bytesMax) return chunks;
            throw new Problem(ErrorCode.TOO_LARGE, HttpFront.tooLarge(bytesMax));
        }
        try (InputStream in = request.content().inputStream()) {
            return Framing.body(in, bytesMax)
                    .orElseThrow(
                            () -> new Problem(ErrorCode.TOO_LARGE, HttpFront.tooLarge(bytesMax)));
        }
    }

    public void send(int status, Object body) {
        sendJson(status, Json.writeBytes(body));
    }

    public void sendJson(int status, byte[] json) {
        status(status);
        send("application/json", json);
    }

    /** Of an answer that is sent later. */
    public void status(int status) {
        response.status(status);
    }

    public void sendText(String text) {
        sendText("text/plain; charset=utf-8", text);
    }

    public void sendHtml(String text) {
        sendText("text/html; charset=utf-8", text);
    }

    public void sendMetrics(String text) {
        sendText("text/plain; version=0.0.4; charset=utf-8", text);
    }

    private void sendText(String contentType, String text) {
        send(contentType, text.getBytes(StandardCharsets.UTF_8));
    }

    public void send(String contentType, byte[] body) {
        response.header(HeaderNames.CONTENT_TYPE, contentType);
        Head.send(request, response, body);
    }

    public void sendNothing(int status) {
        response.status(status).send();
    }

    public void header(String name, String value) {
        response.header(name, value);
    }

    /** Begins an answer of unknown length. */
    public OutputStream stream(String contentType) {
        response.header(HeaderNames.CONTENT_TYPE, contentType)
                .header(HeaderNames.CACHE_CONTROL, "no-store");
        Head.endStream(request, response);
        isStreaming = true;
        return response.outputStream();
    }
}
