package fairlead.engines.kubernetes;

import fairlead.engine.MoreVariables;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How to reach a cluster, and what its pods are like.
 *
 * @param home where logs and what was ordered are kept; made when it is missing
 * @param cluster its name here, for messages
 * @param kubeconfig empty: the file of KUBECONFIG, {@code ~/.kube/config}, or inside a cluster the
 *     account of the pod
 * @param context of the kubeconfig; empty: its current one
 * @param namespace of a project's pods, with {@code {project}} in it
 * @param image for jobs that name none; empty: they are refused
 * @param reservationImage for the pods that hold a shared GPU; needs a shell
 * @param pullSecrets that every pod names, besides its job's own
 * @param tolerations taints that pods tolerate, each {@code key[=value]:effect}
 * @param startPatience how long a pod may fail to start before its attempt ends
 * @param logBytesMax how much of a task's log is kept
 * @param more that tasks find beside the usual variables
 */
public record KubernetesSettings(
        Path home,
        String cluster,
        Optional<Path> kubeconfig,
        Optional<String> context,
        String namespace,
        Optional<String> image,
        String reservationImage,
        List<String> pullSecrets,
        List<String> tolerations,
        Duration startPatience,
        long logBytesMax,
        MoreVariables more) {
    public static final String NAMESPACE = "fairlead-{project}";
    public static final String RESERVATION_IMAGE = "busybox:1.36";
    public static final Duration START_PATIENCE = Duration.ofMinutes(10);

    public KubernetesSettings {
        pullSecrets = List.copyOf(pullSecrets);
        tolerations = List.copyOf(tolerations);
    }
}
