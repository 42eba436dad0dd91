package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * A running server.
 *
 * @param clusters the first is that of jobs that name none
 */
@Json
public record ServerBody(
        String version,
        long pid,
        String url,
        String home,
        String started,
        String policy,
        long journalBytes,
        List<ClusterBody> clusters) {}
