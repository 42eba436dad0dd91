package fairlead.api.client;

import fairlead.api.EventBody;
import fairlead.api.JobBody;
import fairlead.api.json.Wire;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Server-sent events as they come. Not thread-safe. */
public final class EventStream implements Closeable {
    /** Three of the server's heartbeats: after so long a silence the peer is taken for dead. */
    public static final Duration SILENCE_MAX = Duration.ofSeconds(45);

    /** Far above the largest piece of a log that a server sends in one event. */
    private static final int LINE_BYTES_MAX = 16 * 1024 * 1024;

    private final HttpConnection connection;
    private final InputStream in;

    EventStream(HttpConnection connection, HttpResponse response) {
        this.connection = connection;
        this.in = new BufferedInputStream(response.body());
    }

    /**
     * One event.
     *
     * @param id what the server named the place after it, or null
     */
    public record Event(String type, String id, String data) {
        /** The data of an {@code end} event. */
        public JobBody job() throws IOException {
            return value(JobBody.class);
        }

        /** The data of a {@code log} event. */
        public String text() throws IOException {
            return value(String.class);
        }

        /** The data of a {@code state} event. */
        public EventBody happening() throws IOException {
            return value(EventBody.class);
        }

        private <T> T value(Class<T> type) throws IOException {
            byte[] bytes = data.getBytes(StandardCharsets.UTF_8);
            return new Answer<>(bytes, Wire.type(type)).value();
        }
    }

    /** The next event; empty when the stream has ended. Heartbeats are not events. */
    public Optional<Event> next() throws Unreachable {
        return next(SILENCE_MAX);
    }

    /** As {@link #next()}, but {@link Unreachable} after a shorter silence. */
    public Optional<Event> next(Duration silence) throws Unreachable {
        try {
            connection.patience(silence);
            return read();
        } catch (EOFException _) {
            return Optional.empty();
        } catch (SocketTimeoutException e) {
            throw new Unreachable("nothing heard for " + silence.toSeconds() + " s", e);
        } catch (IOException e) {
            throw new Unreachable("the stream broke (" + e.getMessage() + ")", e);
        }
    }

    private Optional<Event> read() throws IOException {
        String type = "message";
        String id = null;
        StringBuilder data = null;
        while (true) {
            String line = HttpResponse.line(in, LINE_BYTES_MAX);
            if (line.isEmpty()) {
                if (data != null) return Optional.of(new Event(type, id, data.toString()));
                type = "message";
                id = null;
                continue;
            }
            int colon = line.indexOf(':');
            String field = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(colon + 1);
            if (value.startsWith(" ")) value = value.substring(1);
            switch (field) {
                case "event" -> type = value;
                case "id" -> id = value;
                case "data" -> {
                    if (data == null) data = new StringBuilder(value);
                    else data.append('\n').append(value);
                }
                default -> {
                    // A comment (the heartbeat) or a field of a newer server.
                }
            }
        }
    }

    /** Whether more is already here, so that a reader need not flush yet. */
    public boolean ready() throws Unreachable {
        try {
            return in.available() > 0;
        } catch (IOException e) {
            throw new Unreachable("the stream broke (" + e.getMessage() + ")", e);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
