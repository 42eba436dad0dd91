package fairlead.api.people;

import io.avaje.jsonb.Json;

/**
 * Somebody whom the server knows.
 *
 * @param project where jobs go that name none
 * @param viewer may look and change nothing; null: may
 * @param disabled may not even look; null: may
 */
@Json
public record PersonBody(
        String name, boolean admin, String project, Boolean viewer, Boolean disabled) {}
