package fairlead.engines.kubernetes;

import fairlead.job.AttemptId;

import io.fabric8.kubernetes.api.model.Pod;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Engines on a test cluster, and the pods that they have made there. */
final class Pods {
    private static final long LOG_BYTES_MAX = 1 << 20;

    private Pods() {}

    static KubernetesSettings settings(TestCluster cluster, Path home, Duration startPatience) {
        return new KubernetesSettings(
                home,
                "lab",
                Optional.of(cluster.kubeconfig()),
                Optional.empty(),
                cluster.namespacePattern(),
                Optional.of(cluster.image()),
                cluster.image(),
                List.of(),
                cluster.tolerations(),
                startPatience,
                LOG_BYTES_MAX);
    }

    /** By their ranks, as the cluster has them now. */
    static List<Pod> of(TestCluster cluster, AttemptId attempt) {
        return cluster.client().pods().inAnyNamespace().list().getItems().stream()
                .filter(
                        pod ->
                                Marks.of(pod)
                                        .filter(marks -> marks.attempt().equals(attempt))
                                        .isPresent())
                .sorted(Comparator.comparingInt(pod -> Marks.of(pod).orElseThrow().rank()))
                .toList();
    }
}
