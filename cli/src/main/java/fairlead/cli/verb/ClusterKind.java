package fairlead.cli.verb;

import fairlead.api.Refused;
import fairlead.api.SpecBody;
import fairlead.cli.Failure;
import fairlead.cli.Session;
import fairlead.cli.UsageException;

import java.io.IOException;
import java.util.List;

/** Whether a cluster runs jobs inside their images, which other systems' commands depend on. */
final class ClusterKind {
    private ClusterKind() {}

    /**
     * Asks the server what it would make of a job with an image: where images run, such a job
     * begins in the image's own folder.
     *
     * @param cluster null for the server's own choice
     */
    static boolean runsImages(String cluster, Session session)
            throws UsageException, Failure, Refused, IOException {
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
