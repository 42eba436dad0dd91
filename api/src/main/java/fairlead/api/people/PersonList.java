package fairlead.api.people;

import io.avaje.jsonb.Json;

import java.util.List;

/** Everyone whom the server knows, by name. */
@Json
public record PersonList(List<PersonBody> people) {}
