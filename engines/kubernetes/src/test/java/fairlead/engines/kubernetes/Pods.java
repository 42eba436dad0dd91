package fairlead.engines.kubernetes;

import fairlead.engine.MoreVariables;
import fairlead.job.AttemptId;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Engines on a test cluster, and the pods that they have made there. */
final class Pods {
    private static final long LOG_BYTES_MAX = 1 << 20;

    /** An image may have to be fetched first. */
    private static final int FOLDER_SECONDS_MAX = 120;

    private Pods() {}

    static KubernetesSettings settings(TestCluster cluster, Path home, Duration startPatience) {
        return settings(
                cluster,
                home,
                startPatience,
                cluster.namespacePattern(),
                KubernetesSettings.Rules.USUAL);
    }

    static KubernetesSettings settings(
            TestCluster cluster,
            Path home,
            Duration startPatience,
            String namespace,
            KubernetesSettings.Rules rules) {
        return new KubernetesSettings(
                home,
                "lab",
                Optional.of(cluster.kubeconfig()),
                Optional.empty(),
                namespace,
                Optional.of(cluster.image()),
                cluster.image(),
                List.of(),
                cluster.tolerations(),
                List.of("/"),
                rules,
                startPatience,
                LOG_BYTES_MAX,
                MoreVariables.NONE);
    }

    /** A folder on the first node, where only a container can make one. */
    static void makeFolder(TestCluster cluster, String path) {
        var pod =
                new PodBuilder()
                        .withNewMetadata()
                        .withGenerateName("folder-")
                        .endMetadata()
                        .withNewSpec()
                        .withRestartPolicy("Never")
                        .withAffinity(Placing.on(cluster.nodes().getFirst()))
                        .addNewVolume()
                        .withName("tmp")
                        .withNewHostPath("/tmp", "Directory")
                        .endVolume()
                        .addNewContainer()
                        .withName("main")
                        .withImage(cluster.image())
                        .withCommand("mkdir", "-p", path)
                        .addNewVolumeMount()
                        .withName("tmp")
                        .withMountPath("/tmp")
                        .endVolumeMount()
                        .endContainer()
                        .endSpec()
                        .build();
        var pods = cluster.client().pods().inNamespace(cluster.namespace("folders"));
        String name = pods.resource(pod).create().getMetadata().getName();
        pods.withName(name)
                .waitUntilCondition(
                        made -> "Succeeded".equals(made.getStatus().getPhase()),
                        FOLDER_SECONDS_MAX,
                        TimeUnit.SECONDS);
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
