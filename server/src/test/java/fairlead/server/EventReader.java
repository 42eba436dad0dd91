package fairlead.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads server-sent events as a client does. */
public final class EventReader implements AutoCloseable {
    private final BufferedReader in;

    public record Event(String name, String id, String data) {}

    public EventReader(InputStream in) {
        this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    /** The next event; empty at the end. Comments are passed over. */
    public Optional<Event> next() throws IOException {
        String name = null;
        String id = null;
        String data = null;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.isEmpty() && name != null) return Optional.of(new Event(name, id, data));
            if (line.startsWith("event: ")) name = line.substring(7);
            if (line.startsWith("id: ")) id = line.substring(4);
            if (line.startsWith("data: ")) data = line.substring(6);
        }
        return Optional.empty();
    }

    public List<Event> rest() throws IOException {
        var all = new ArrayList<Event>();
        for (var event = next(); event.isPresent(); event = next()) all.add(event.get());
        return all;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
