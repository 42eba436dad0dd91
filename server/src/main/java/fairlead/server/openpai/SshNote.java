package fairlead.server.openpai;

import fairlead.dialects.openpai.PaiSpec;
import fairlead.engine.Engine;
import fairlead.job.JobSpec;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Why nobody can log in to the tasks of a job of OpenPAI (O79), where that is known beforehand: for
 * processes of this machine. What an image has shows when its tasks run.
 */
public final class SshNote {
    /** As the tasks look for them. */
    private static final List<String> PROGRAMS =
            List.of("usr/bin/ssh", "usr/bin/ssh-keygen", "usr/sbin/sshd");

    private SshNote() {}

    public static Optional<String> of(JobSpec spec, Engine engine) {
        return of(spec, engine, Path.of("/"));
    }

    /**
     * @param root of the machine
     */
    static Optional<String> of(JobSpec spec, Engine engine, Path root) {
        boolean isOfOpenPai =
                spec.origin().filter(from -> from.dialect().equals(PaiSpec.DIALECT)).isPresent();
        boolean isContained = spec.container().image().isPresent() && engine.terms().runsImages();
        if (!isOfOpenPai || isContained || !engine.terms().runsHere()) return Optional.empty();
        var missing = new ArrayList<String>();
        for (String program : PROGRAMS) {
            if (!Files.isExecutable(root.resolve(program))) missing.add("/" + program);
        }
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "nobody can log in to its tasks by ssh: this machine has no "
                                + String.join(", ", missing)
                                + " (OpenSSH)");
    }
}
