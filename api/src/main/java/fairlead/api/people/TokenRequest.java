package fairlead.api.people;

import io.avaje.jsonb.Json;

/**
 * A token that somebody wants besides those that they have.
 *
 * @param name by which it is listed and revoked
 * @param scope {@code read}, {@code submit} or {@code admin}; null: {@code submit}
 * @param days after which it works no more; null: it has no end
 */
@Json
public record TokenRequest(String name, String scope, Integer days) {}
