package fairlead.api;

import io.avaje.jsonb.Json;

/** A job's new priority, or by how much to change it; exactly one of the two. */
@Json
public record PriorityRequest(Integer priority, Integer change) {}
