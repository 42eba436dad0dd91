package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * A command that has begun beside a task, or a way to the task itself or to a port of it.
 *
 * @param session its name, which is a secret; whoever asked for it has half a minute to connect
 * @param readsInput whether anybody reads what is sent to it
 */
@Json
public record ExecAnswer(String session, boolean readsInput) {
    @Override
    public String toString() {
        return "a session";
    }
}
