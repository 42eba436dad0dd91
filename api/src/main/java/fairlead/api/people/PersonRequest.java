package fairlead.api.people;

import io.avaje.jsonb.Json;

/**
 * What to say of somebody. Where they are made known, a null is no admin, and the project {@code
 * default}; where they are changed, it leaves as it is what it stands for.
 */
@Json
public record PersonRequest(Boolean admin, String project, Boolean viewer, Boolean disabled) {}
