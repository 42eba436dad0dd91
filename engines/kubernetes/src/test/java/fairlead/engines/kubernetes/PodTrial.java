package fairlead.engines.kubernetes;

import fairlead.testing.Eventually;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.dsl.PodResource;

/** Pods of a test in one namespace of a test cluster. */
final class PodTrial {
    private final TestCluster cluster;
    private final String namespace;

    PodTrial(TestCluster cluster, String project) {
        this.cluster = cluster;
        this.namespace = cluster.namespace(project);
    }

    String namespace() {
        return namespace;
    }

    PodResource pod(String name) {
        return cluster.client().pods().inNamespace(namespace).withName(name);
    }

    void create(Pod pod) {
        cluster.client().pods().inNamespace(namespace).resource(pod).create();
    }

    void awaitPhase(String name, String phase) {
        Eventually.when(
                name + " is " + phase, () -> phase.equals(pod(name).get().getStatus().getPhase()));
    }

    ContainerStateTerminated awaitEnd(String name) {
        Eventually.when(
                name + " ends",
                () -> {
                    var states = pod(name).get().getStatus().getContainerStatuses();
                    return !states.isEmpty()
                            && states.getFirst().getState().getTerminated() != null;
                });
        return pod(name)
                .get()
                .getStatus()
                .getContainerStatuses()
                .getFirst()
                .getState()
                .getTerminated();
    }

    /** Why its container has not started; empty when it has, or nobody has said. */
    String waitingReason(String name) {
        var states = pod(name).get().getStatus().getContainerStatuses();
        if (states.isEmpty() || states.getFirst().getState().getWaiting() == null) return "";
        return states.getFirst().getState().getWaiting().getReason();
    }

    Pod shell(String name, String script) {
        return command(name, "sh", "-c", script);
    }

    /** A pod that tolerates what the cluster's nodes ask for. */
    Pod command(String name, String... words) {
        var builder =
                new PodBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withRestartPolicy("Never")
                        .addNewContainer()
                        .withName("main")
                        .withImage(cluster.image())
                        .withCommand(words)
                        .endContainer();
        for (String each : cluster.tolerations()) {
            String[] parts = each.split(":");
            builder.addNewToleration()
                    .withKey(parts[0])
                    .withOperator("Exists")
                    .withEffect(parts[1])
                    .endToleration();
        }
        return builder.endSpec().build();
    }
}
