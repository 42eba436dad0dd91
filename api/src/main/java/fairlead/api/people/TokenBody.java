package fairlead.api.people;

import io.avaje.jsonb.Json;

/**
 * A token of somebody, as far as it is known: it was shown when it was made.
 *
 * @param expires when it works no more; null: never
 */
@Json
public record TokenBody(String name, String scope, String created, String expires) {}
