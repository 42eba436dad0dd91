package fairlead.api;

import io.avaje.jsonb.Json;

/** A running server. */
@Json
public record ServerBody(
        String version,
        long pid,
        String url,
        String home,
        String started,
        String policy,
        long journalBytes) {}
