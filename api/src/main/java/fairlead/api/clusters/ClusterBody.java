package fairlead.api.clusters;

import io.avaje.jsonb.Json;

/**
 * A cluster of a server.
 *
 * @param engine what runs its jobs: local or kubernetes
 * @param trouble why it cannot be reached; null when it can
 * @param images whether jobs with an image run inside it; null from an older server
 * @param namespace where jobs of a project live, with {@code {project}} in it; null where there are
 *     no namespaces
 */
@Json
public record ClusterBody(
        String name,
        String engine,
        boolean reachable,
        String trouble,
        Boolean images,
        String namespace) {}
