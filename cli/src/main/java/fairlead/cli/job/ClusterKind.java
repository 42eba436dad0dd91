package fairlead.cli.job;

import fairlead.api.client.Refused;
import fairlead.api.clusters.ClusterBody;
import fairlead.api.words.Suggestion;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/**
 * What clusters are: whether they run jobs inside their images, and on how many machines, which
 * other systems' commands depend on. The server is asked once.
 */
public final class ClusterKind {
    private static final String LOCAL = "local";
    private static final ClusterBody OF_OLD =
            new ClusterBody("local", LOCAL, true, null, false, null);

    private final Session session;
    private List<ClusterBody> all;

    public ClusterKind(Session session) {
        this.session = session;
    }

    /** The first is that of jobs that name none. */
    public List<ClusterBody> all() throws UsageException, Failure, Refused, IOException {
        if (all != null) return all;
        List<ClusterBody> told = session.client().server().value().clusters();
        // An older server has one cluster, and says nothing about it.
        all = told == null ? List.of(OF_OLD) : told;
        return all;
    }

    /**
     * @param cluster null for the server's own choice
     */
    public boolean runsImages(String cluster) throws UsageException, Failure, Refused, IOException {
        ClusterBody found = named(cluster);
        // An older server does not say; there the local engine ran without containers.
        return found.images() == null ? !found.engine().equals(LOCAL) : found.images();
    }

    /**
     * Whether jobs run on the server's machine: then their ports are its own, in images too, and
     * there are no claims.
     *
     * @param cluster null for the server's own choice
     */
    public boolean isOneMachine(String cluster)
            throws UsageException, Failure, Refused, IOException {
        return named(cluster).engine().equals(LOCAL);
    }

    /**
     * Where jobs of a project live, with {@code {project}} in it; null: there are no namespaces.
     */
    public String namespace(String cluster) throws UsageException, Failure, Refused, IOException {
        return named(cluster).namespace();
    }

    private ClusterBody named(String cluster) throws UsageException, Failure, Refused, IOException {
        for (ClusterBody each : all()) {
            if (cluster == null || each.name().equals(cluster)) return each;
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
