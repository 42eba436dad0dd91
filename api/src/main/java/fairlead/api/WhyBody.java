package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/** Why a job is where it is. The place is null unless it waits. */
@Json
public record WhyBody(String id, String state, Integer place, List<String> obstacles) {}
