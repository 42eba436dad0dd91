package fairlead.api.people;

import io.avaje.jsonb.Json;

/**
 * A session of the portal.
 *
 * @param name whose it is
 * @param ends when it ends, unless it is renewed
 */
@Json
public record SessionBody(String name, boolean admin, String project, String ends) {}
