package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * A command that has begun beside a task.
 *
 * @param session its name, which is a secret; whoever asked for it has half a minute to connect
 */
@Json
public record ExecAnswer(String session) {
    @Override
    public String toString() {
        return "a session";
    }
}
