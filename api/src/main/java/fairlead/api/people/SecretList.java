package fairlead.api.people;

import io.avaje.jsonb.Json;

import java.util.List;

/** The names of the secrets of a person or a project. */
@Json
public record SecretList(List<String> secrets) {}
