package fairlead.api.people;

import io.avaje.jsonb.Json;

import java.util.List;

/** All projects, by name. */
@Json
public record ProjectList(List<ProjectBody> projects) {}
