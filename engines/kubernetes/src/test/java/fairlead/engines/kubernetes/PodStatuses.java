package fairlead.engines.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

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

    /**
     * The whole status that goes with the states of the pod's containers.
     *
     * @param states by name; of those that are missing nothing is known yet
     */
    static PodStatus of(Pod pod, Instant seen, Map<String, ContainerState> states) {
        ContainerState state = states.get(TestKubelet.main(pod).getName());
        boolean runs = state.getRunning() != null;
        String phase = phase(states.values());
        var status =
                new PodStatusBuilder()
                        .withPhase(phase)
                        .withStartTime(time(seen))
                        .withHostIP("127.0.0.1")
                        .withConditions(conditions(pod, runs))
                        .withContainerStatuses(
                                pod.getSpec().getContainers().stream()
                                        .filter(each -> states.containsKey(each.getName()))
                                        .map(each -> of(pod, each, states.get(each.getName())))
                                        .sorted(Comparator.comparing(ContainerStatus::getName))
                                        .toList());
        if (state.getWaiting() == null) status.withPodIP("127.0.0.1");
        return status.build();
    }

    private static String phase(Collection<ContainerState> states) {
        if (states.stream().anyMatch(each -> each.getRunning() != null)) return "Running";
        if (states.stream().anyMatch(each -> each.getTerminated() == null)) return "Pending";
        return states.stream().allMatch(each -> each.getTerminated().getExitCode() == 0)
                ? "Succeeded"
                : "Failed";
    }

    private static ContainerStatus of(Pod pod, Container container, ContainerState state) {
        boolean runs = state.getRunning() != null;
        return new ContainerStatusBuilder()
                .withName(container.getName())
                .withImage(container.getImage())
                .withImageID(state.getWaiting() == null ? "test" : "")
                .withContainerID(
                        state.getWaiting() == null
                                ? "test://" + pod.getMetadata().getUid() + container.getName()
                                : null)
                .withRestartCount(0)
                .withReady(runs)
                .withStarted(runs)
                .withState(state)
                .build();
    }

    /** A pod whose preparation has failed, as restartPolicy Never has it. */
    static PodStatus unprepared(Pod pod, Instant seen, Container init, ContainerState state) {
        return new PodStatusBuilder()
                .withPhase("Failed")
                .withStartTime(time(seen))
                .withConditions(conditions(pod, false))
                .withInitContainerStatuses(of(pod, init, state))
                .withContainerStatuses(
                        of(pod, TestKubelet.main(pod), waiting("PodInitializing", null)))
                .build();
    }

    /** A pod that is being prepared. */
    static PodStatus preparing(Pod pod, Instant seen, Container init, ContainerState state) {
        return new PodStatusBuilder()
                .withPhase("Pending")
                .withStartTime(time(seen))
                .withConditions(conditions(pod, false))
                .withInitContainerStatuses(of(pod, init, state))
                .withContainerStatuses(
                        of(pod, TestKubelet.main(pod), waiting("PodInitializing", null)))
                .build();
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
