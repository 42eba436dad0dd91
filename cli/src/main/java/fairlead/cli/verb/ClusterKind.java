package fairlead.cli.verb;

import fairlead.api.Refused;
import fairlead.api.SpecBody;
import fairlead.cli.Failure;
import fairlead.cli.Session;
import fairlead.cli.UsageException;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether clusters run jobs inside their images, which other systems' commands depend on. Each is
 * asked about once.
 */
final class ClusterKind {
    private final Session session;
    private final Map<String, Boolean> known = new HashMap<>();

    ClusterKind(Session session) {
        this.session = session;
    }

    /**
     * @param cluster null for the server's own choice
     */
    boolean runsImages(String cluster) throws UsageException, Failure, Refused, IOException {
        Boolean answer = known.get(cluster);
        if (answer == null) {
            answer = ask(cluster);
            known.put(cluster, answer);
        }
        return answer;
    }

    /**
     * What would the server make of a job with an image? Where images run, such a job begins in the
     * image's own folder.
     */
    private boolean ask(String cluster) throws UsageException, Failure, Refused, IOException {
        var probe =
                new SpecBody(
                        null,
                        cluster,
                        null,
                        null,
                        null,
                        List.of("true"),
                        0,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        "any",
                        null,
                        null,
                        null,
                        null);
        var made = session.client().dryRun(List.of(probe), null, null, Here.of(session).body());
        return made.value().getFirst().workdir().isEmpty();
    }
}
