package fairlead.cli.verb;

import fairlead.api.ClusterBody;
import fairlead.api.Refused;
import fairlead.cli.Failure;
import fairlead.cli.Session;
import fairlead.cli.Suggestion;
import fairlead.cli.UsageException;

import java.io.IOException;
import java.util.List;

/**
 * Whether clusters run jobs inside their images, which other systems' commands depend on. The
 * server is asked once.
 */
final class ClusterKind {
    private static final String WITHOUT_CONTAINERS = "local";
    private static final ClusterBody OF_OLD =
            new ClusterBody("local", WITHOUT_CONTAINERS, true, null, false);

    private final Session session;
    private List<ClusterBody> all;

    ClusterKind(Session session) {
        this.session = session;
    }

    /** The first is that of jobs that name none. */
    List<ClusterBody> all() throws UsageException, Failure, Refused, IOException {
        if (all != null) return all;
        List<ClusterBody> told = session.client().server().value().clusters();
        // An older server has one cluster, and says nothing about it.
        all = told == null ? List.of(OF_OLD) : told;
        return all;
    }

    /**
     * @param cluster null for the server's own choice
     */
    boolean runsImages(String cluster) throws UsageException, Failure, Refused, IOException {
        for (ClusterBody each : all()) {
            boolean isIt = cluster == null || each.name().equals(cluster);
            if (!isIt) continue;
            // An older server does not say; there only one engine ran without containers.
            return each.images() == null
                    ? !each.engine().equals(WITHOUT_CONTAINERS)
                    : each.images();
        }
        throw unknown(cluster);
    }

    private UsageException unknown(String cluster) {
        List<String> names = all.stream().map(ClusterBody::name).toList();
        return new UsageException(
                "no cluster '"
                        + cluster
                        + "'; known: "
                        + String.join(", ", names)
                        + "."
                        + Suggestion.of(cluster, names));
    }
}
