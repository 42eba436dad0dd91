package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * Where a browser finds the page that a task serves.
 *
 * @param path on this server; whoever has it reaches the port, for twelve hours at most
 */
@Json
public record PortAnswer(String path) {
    @Override
    public String toString() {
        return "a way to a port";
    }
}
