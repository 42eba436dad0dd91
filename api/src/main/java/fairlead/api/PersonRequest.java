package fairlead.api;

import io.avaje.jsonb.Json;

/** Somebody to be made known. A null is no admin, and the project {@code default}. */
@Json
public record PersonRequest(Boolean admin, String project) {}
