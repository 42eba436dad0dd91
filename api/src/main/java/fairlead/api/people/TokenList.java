package fairlead.api.people;

import io.avaje.jsonb.Json;

import java.util.List;

/** The tokens of one person besides their first, by name. */
@Json
public record TokenList(List<TokenBody> tokens) {}
