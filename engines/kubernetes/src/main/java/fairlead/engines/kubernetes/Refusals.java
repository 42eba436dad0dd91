package fairlead.engines.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.job.Container;
import fairlead.job.JobSpec;

import java.nio.file.Path;
import java.util.Optional;

/** Why a cluster can never run a spec, in words for its owner. */
record Refusals(KubernetesSettings settings) {
    /** Kubernetes takes no larger secret, and the job's variables are one. */
    private static final int SECRET_BYTES_MAX = 1 << 20;

    Optional<String> of(JobSpec spec) {
        if (spec.container().image().isEmpty() && settings.image().isEmpty())
            return Optional.of(
                    "the cluster "
                            + settings.cluster()
                            + " runs images, so the job must name one (image, -i, or docker.image"
                            + " in a config file of ACT)");
        return Names.namespaceProblem(settings.namespace(), spec.project())
                .or(() -> hostPath(spec))
                .or(() -> environment(spec));
    }

    private Optional<String> hostPath(JobSpec spec) {
        return spec.container().mounts().stream()
                .filter(
                        mount ->
                                mount.source() instanceof Container.Folder(String path)
                                        && !isAllowed(Path.of(path).normalize()))
                .findFirst()
                .map(
                        mount ->
                                "the cluster "
                                        + settings.cluster()
                                        + " does not let jobs mount "
                                        + ((Container.Folder) mount.source()).path()
                                        + " of its nodes; mount a claim (claim:NAME:"
                                        + mount.target()
                                        + "), or ask for '"
                                        + settings.cluster()
                                        + ".host-paths' to be set");
    }

    private boolean isAllowed(Path folder) {
        return settings.hostPaths().stream().anyMatch(allowed -> folder.startsWith(allowed));
    }

    private static Optional<String> environment(JobSpec spec) {
        long bytes = 0;
        for (var entry : spec.environment().entrySet()) {
            bytes += entry.getKey().getBytes(UTF_8).length;
            bytes += entry.getValue().getBytes(UTF_8).length;
        }
        return bytes <= SECRET_BYTES_MAX
                ? Optional.empty()
                : Optional.of(
                        "the environment takes "
                                + bytes
                                + " bytes; a secret of Kubernetes holds at most "
                                + SECRET_BYTES_MAX);
    }
}
