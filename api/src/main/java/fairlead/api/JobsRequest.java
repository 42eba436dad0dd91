package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/** Jobs by id, by the end of one, by name, or by the id of an array. */
@Json
public record JobsRequest(List<String> jobs) {}
