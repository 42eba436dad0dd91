package fairlead.api.people;

import io.avaje.jsonb.Json;

/**
 * Somebody whom the server knows.
 *
 * @param project where jobs go that name none
 */
@Json
public record PersonBody(String name, boolean admin, String project) {}
