package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * A wish for one connection to a port of a running task.
 *
 * @param task such as {@code main/0}; null: the first
 */
@Json
public record ForwardBody(String task, Integer port) {}
