package fairlead.server.http;

import fairlead.api.ErrorCode;
import fairlead.wire.Json;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** An answer of server-sent events. What is written reaches the peer with the next flush. */
public final class Sse implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 * 1024;
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Call call;
    private final Streams streams;
    private final Streams.Open place;
    private final OutputStream out;
    private long lastFlush = System.nanoTime();
    private boolean dirty;
    private boolean isShut;

    /** Takes a place among the streams first, so that a refusal can still be sent. */
    public Sse(Call call, Streams streams) {
        this.call = call;
        this.streams = streams;
        this.place = streams.open(call);
        this.out = new BufferedOutputStream(call.stream("text/event-stream"), BUFFER_BYTES);
    }

    /** Sends a comment, so that the head of the answer does not wait for the first event. */
    public void begin() throws IOException {
        write(COMMENT);
        flush();
    }

    /** Whether this stream must end: the server stops, or the peer's token works no more. */
    public boolean isClosed() throws IOException {
        if (isShut || streams.isClosed()) return true;
        if (call.tokenWorks()) return false;
        fail(new Problem(ErrorCode.UNAUTHORIZED, "the token works no more"));
        isShut = true;
        return true;
    }

    /**
     * @param id where to go on after this event, or null
     * @param data without a line break, as JSON is
     */
    public void event(String name, String id, String data) throws IOException {
        String text = "event: " + name + (id == null ? "" : "\nid: " + id) + "\ndata: " + data;
        write((text + "\n\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Tells the peer why the stream ends early. */
    public void fail(Problem problem) throws IOException {
        event("error", null, Json.write(problem.body()));
    }

    /**
     * Sends what is written; after a long silence a comment, to find out whether the peer lives.
     */
    public void flush() throws IOException {
        if (!dirty && silence().compareTo(streams.heartbeat()) >= 0) write(COMMENT);
        if (!dirty) return;
        place.writing(true);
        out.flush();
        place.writing(false);
        dirty = false;
        lastFlush = System.nanoTime();
    }

    /** How long a stream may wait before it must flush again. */
    public Duration untilHeartbeat() {
        Duration left = streams.heartbeat().minus(silence());
        return left.isNegative() ? Duration.ZERO : left;
    }

    private Duration silence() {
        return Duration.ofNanos(System.nanoTime() - lastFlush);
    }

    private void write(byte[] bytes) throws IOException {
        dirty = true;
        place.writing(true);
        out.write(bytes);
        place.writing(false);
    }

    @Override
    public void close() throws IOException {
        try (place) {
            flush();
            out.close();
        }
    }
}
