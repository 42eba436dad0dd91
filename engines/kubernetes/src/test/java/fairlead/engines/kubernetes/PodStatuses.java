package fairlead.engines.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The status of a pod in the words of a real kubelet. */
final class PodStatuses {
    private PodStatuses() {}

    static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static ContainerState waiting(String reason, String message) {
        return new ContainerStateBuilder()
                .withNewWaiting()
                .withReason(reason)
                .withMessage(message)
                .endWaiting()
                .build();
    }

    static ContainerState running(Instant started) {
        return new ContainerStateBuilder()
                .withNewRunning()
                .withStartedAt(time(started))
                .endRunning()
                .build();
    }

    static ContainerState terminated(
            int code, String reason, String message, Instant started, Instant finished) {
        return new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(code)
                .withReason(reason)
                .withMessage(message)
                .withStartedAt(time(started))
                .withFinishedAt(time(finished))
                .endTerminated()
                .build();
    }

    /** The whole status that goes with a state of the pod's container. */
    static PodStatus of(Pod pod, Instant seen, ContainerState state) {
        boolean runs = state.getRunning() != null;
        String phase = "Pending";
        if (runs) phase = "Running";
        if (state.getTerminated() != null) {
            phase = state.getTerminated().getExitCode() == 0 ? "Succeeded" : "Failed";
        }
        Container container = pod.getSpec().getContainers().getFirst();
        var status =
                new PodStatusBuilder()
                        .withPhase(phase)
                        .withStartTime(time(seen))
                        .withHostIP("127.0.0.1")
                        .withConditions(conditions(pod, runs))
                        .withContainerStatuses(
                                new ContainerStatusBuilder()
                                        .withName(container.getName())
                                        .withImage(container.getImage())
                                        .withImageID(state.getWaiting() == null ? "test" : "")
                                        .withContainerID(
                                                state.getWaiting() == null
                                                        ? "test://" + pod.getMetadata().getUid()
                                                        : null)
                                        .withRestartCount(0)
                                        .withReady(runs)
                                        .withStarted(runs)
                                        .withState(state)
                                        .build());
        if (state.getWaiting() == null) status.withPodIP("127.0.0.1");
        return status.build();
    }

    private static List<PodCondition> conditions(Pod pod, boolean ready) {
        var conditions = new ArrayList<PodCondition>();
        for (String type : List.of("PodScheduled", "Initialized"))
            conditions.add(condition(type, true));
        for (String type : List.of("ContainersReady", "Ready"))
            conditions.add(condition(type, ready));
        // What others have added, such as the reason for an eviction, stays.
        if (pod.getStatus() != null && pod.getStatus().getConditions() != null) {
            pod.getStatus().getConditions().stream()
                    .filter(
                            had ->
                                    conditions.stream()
                                            .noneMatch(own -> own.getType().equals(had.getType())))
                    .toList()
                    .forEach(conditions::add);
        }
        return conditions;
    }

    private static PodCondition condition(String type, boolean holds) {
        return new PodConditionBuilder()
                .withType(type)
                .withStatus(holds ? "True" : "False")
                .build();
    }

    /** A pod that its node refuses or throws out. */
    static PodStatus refused(Pod pod, Instant seen, String reason, String message) {
        return new PodStatusBuilder()
                .withPhase("Failed")
                .withReason(reason)
                .withMessage(message)
                .withStartTime(time(seen))
                .withConditions(conditions(pod, false))
                .build();
    }
}
