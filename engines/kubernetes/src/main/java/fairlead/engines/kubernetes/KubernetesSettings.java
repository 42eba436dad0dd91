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
 * @param hostPaths folders of nodes that jobs may mount, with all below them; whoever mounts a
 *     folder of a node may do there what the node's own programs may
 * @param rules how its pods live with the rest of the cluster
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
        List<String> hostPaths,
        Rules rules,
        Duration startPatience,
        long logBytesMax,
        MoreVariables more) {
    public static final String NAMESPACE = "fairlead-{project}";
    public static final String RESERVATION_IMAGE = "busybox:1.36";
    public static final Duration START_PATIENCE = Duration.ofMinutes(10);

    /**
     * How pods live with the rest of the cluster.
     *
     * @param gpuRequests what a task asks for with each of its GPUs where it says nothing of CPUs
     *     or memory: in hundredths of the node's part for one GPU; 0: nothing
     * @param podTemplate a file with what every pod is to have besides; empty: nothing
     * @param accounts of services that jobs may name for their pods
     * @param priorityClasses that jobs may name for their pods
     * @param sight how much of the cluster the account may see
     * @param nodes of a cluster whose nodes may not be seen: what it has for us
     * @param autoscaler nodes that the cluster adds when pods have no room; empty: none
     */
    public record Rules(
            int gpuRequests,
            Optional<Path> podTemplate,
            List<String> accounts,
            List<String> priorityClasses,
            Sight sight,
            Optional<Shape> nodes,
            Optional<Shape> autoscaler) {
        /** Half: the node's own pods and tasks that ask for more find room beside it. */
        public static final int GPU_REQUESTS = 50;

        public static final Rules USUAL =
                new Rules(
                        GPU_REQUESTS,
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        Sight.CLUSTER,
                        Optional.empty(),
                        Optional.empty());

        public Rules {
            accounts = List.copyOf(accounts);
            priorityClasses = List.copyOf(priorityClasses);
        }
    }

    /** How much of a cluster an account may see. */
    public enum Sight {
        /** All pods and nodes. */
        CLUSTER,
        /** The pods and quotas of the one namespace in which its jobs run. */
        NAMESPACE
    }

    /** A number of nodes with the same number of GPUs each. */
    public record Shape(int nodes, int gpus) {}

    public KubernetesSettings {
        pullSecrets = List.copyOf(pullSecrets);
        tolerations = List.copyOf(tolerations);
        hostPaths = List.copyOf(hostPaths);
    }
}
