package fairlead.engines.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engines.kubernetes.apiserver.Problems;
import fairlead.job.Container;
import fairlead.job.GpuPart;
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
                .or(() -> template(spec))
                .or(() -> part(spec))
                .or(() -> environment(spec));
    }

    /** Who shares a GPU must be on its node, and which that is we may not see. */
    private Optional<String> part(JobSpec spec) {
        boolean isPart =
                spec.roles().stream()
                        .anyMatch(role -> !(role.resources().part() instanceof GpuPart.Whole));
        return isPart && settings.rules().sight() == KubernetesSettings.Sight.NAMESPACE
                ? Optional.of(
                        "the cluster "
                                + settings.cluster()
                                + " does not show its nodes, so jobs cannot have a part of a GPU;"
                                + " ask for a whole one")
                : Optional.empty();
    }

    private Optional<String> template(JobSpec spec) {
        if (spec.container().details().pod().isEmpty()) return Optional.empty();
        try {
            var template = PodTemplate.parse(spec.container().details().pod().get());
            return new PodTemplateRules(settings)
                    .ofJob(template)
                    .map(problem -> "container.pod: " + problem);
        } catch (IllegalArgumentException problem) {
            return Optional.of("container.pod: " + Problems.line(problem));
        }
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
