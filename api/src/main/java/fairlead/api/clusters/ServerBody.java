package fairlead.api.clusters;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * A running server.
 *
 * @param journalCheck what the last check of the journal's file found; null from an older server
 * @param journalCopy the newest automatic copy of the journal; null where there is none
 * @param address where other machines find it, by encrypted connections; null where there are none
 * @param fingerprint of its certificate; null without encryption
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
        String journalCheck,
        String journalCopy,
        String address,
        String fingerprint,
        List<ClusterBody> clusters) {}
