package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * A cluster of a server.
 *
 * @param engine what runs its jobs: local or kubernetes
 * @param trouble why it cannot be reached; null when it can
 */
@Json
public record ClusterBody(String name, String engine, boolean reachable, String trouble) {}
