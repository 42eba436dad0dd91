package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * A wish to join a running task.
 *
 * @param task such as {@code main/0}; null: the first
 */
@Json
public record AttachBody(String task) {}
