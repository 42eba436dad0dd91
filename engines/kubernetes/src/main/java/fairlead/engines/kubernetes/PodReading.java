package fairlead.engines.kubernetes;

import fairlead.engines.kubernetes.PodState.Trouble;
import fairlead.job.Exit;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.Quantity;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads where a pod stands from what the cluster says of it.
 *
 * @param node what is known of the pod's node
 * @param isStopOrdered whether we have asked for the pod's end
 */
record PodReading(Pod pod, NodeHealth node, boolean isStopOrdered, Instant now) {
    enum NodeHealth {
        READY,
        CORDONED,
        NOT_READY,
        GONE
    }

    /** As a shell tells SIGTERM and SIGKILL. */
    static final int TERMINATED = 143;

    static final int KILLED = 137;

    private static final int NOT_FOUND = 127;
    private static final int NOT_EXECUTABLE = 126;
    private static final String START_ERROR = "StartError";
    private static final String CANNOT_RUN = "ContainerCannotRun";
    private static final Set<String> NOT_STARTED = Set.of(START_ERROR, CANNOT_RUN);

    /** What runtimes say of a program that they cannot begin. */
    private static final Pattern EXEC =
            Pattern.compile(
                    "exec: \".*?\": .*?(executable file not found|no such file or directory"
                            + "|permission denied)");

    private static final Pattern CLAIM_MISSING =
            Pattern.compile("persistentvolumeclaim \"[^\"]*\" not found");

    /** Clocks of machines differ; the end of a task and its deletion come from two of them. */
    private static final Duration SKEW = Duration.ofSeconds(2);

    /** A kubelet that lives has reported by then what became of a container it had to kill. */
    private static final Duration KUBELET_PATIENCE = Duration.ofSeconds(30);

    private static final Set<String> JOB_TROUBLES =
            Set.of(
                    "ErrImagePull",
                    "ImagePullBackOff",
                    "ErrImageNeverPull",
                    "ImageInspectError",
                    "RegistryUnavailable",
                    "CreateContainerConfigError",
                    "CreateContainerError",
                    "RunContainerError",
                    CANNOT_RUN);

    /** Where it is reached, once it is on its node: its own, or its machine's if it shares that. */
    Optional<String> address() {
        return Optional.ofNullable(pod.getStatus())
                .map(status -> status.getPodIP())
                .filter(address -> !address.isEmpty());
    }

    PodState state() {
        Optional<ContainerState> container = container();
        var terminated = container.map(ContainerState::getTerminated);
        if (terminated.isPresent()) return ended(terminated.get());
        String phase = phase();
        if (phase.equals("Failed") || phase.equals("Succeeded")) return endedWithoutContainer();
        boolean isRunning = container.map(ContainerState::getRunning).isPresent();
        if (node == NodeHealth.GONE) return lost("its node " + nodeName() + " is gone", isRunning);
        if (deletion().isPresent()) {
            var gone = goneByDeletion(isRunning);
            if (gone.isPresent()) return gone.get();
        }
        if (isRunning) return new PodState.Running();
        return new PodState.Waiting(
                container
                        .map(ContainerState::getWaiting)
                        .flatMap(PodReading::trouble)
                        .or(this::unschedulable));
    }

    private PodState ended(ContainerStateTerminated end) {
        Instant at = time(end.getFinishedAt()).orElse(now);
        int code = end.getExitCode() == null ? KILLED : code(end);
        boolean isAfterDeletion =
                deletion().isPresent() && !at.isBefore(deletion().get().minus(SKEW));
        if (isStopOrdered && isAfterDeletion) {
            String note = code == KILLED ? "it did not end within its grace, so it was killed" : "";
            return new PodState.Ended(Exit.stopped(code, note, at), true);
        }
        if (!isStopOrdered) {
            var disruption = disruption();
            if (disruption.isPresent())
                return new PodState.Ended(Exit.lost(disruption.get(), at), true);
            if (isAfterDeletion) return new PodState.Ended(Exit.lost(deletedByOthers(), at), true);
        }
        String reason = Optional.ofNullable(end.getReason()).orElse("");
        String note =
                switch (reason) {
                    case "OOMKilled" -> outOfMemory();
                    case CANNOT_RUN, START_ERROR ->
                            Optional.ofNullable(end.getMessage()).orElse(reason);
                    default -> "";
                };
        boolean isOverLimit = reason.equals("OOMKilled") && memoryLimit().isPresent();
        var exit = new Exit(OptionalInt.of(code), false, isOverLimit, note, at);
        return new PodState.Ended(exit, true);
    }

    /**
     * As a shell tells that there is no such program, where the runtime has a number of its own.
     */
    private static int code(ContainerStateTerminated end) {
        String message = Optional.ofNullable(end.getMessage()).orElse("");
        boolean isOfStart = NOT_STARTED.contains(Optional.ofNullable(end.getReason()).orElse(""));
        var exec = EXEC.matcher(message);
        if (!isOfStart || !exec.find()) return end.getExitCode();
        return exec.group(1).equals("permission denied") ? NOT_EXECUTABLE : NOT_FOUND;
    }

    private Optional<Quantity> memoryLimit() {
        return pod.getSpec().getContainers().stream()
                .filter(each -> Marks.CONTAINER.equals(each.getName()))
                .map(Container::getResources)
                .filter(each -> each != null && each.getLimits() != null)
                .map(each -> each.getLimits().get("memory"))
                .filter(Objects::nonNull)
                .findFirst();
    }

    private String outOfMemory() {
        return memoryLimit()
                .map(limit -> "it was killed because it needed more than its memory of " + limit)
                .orElse("it was killed because its node ran out of memory");
    }

    /** Evicted before it ran, refused by the kubelet, or given up by the cluster. */
    private PodState endedWithoutContainer() {
        if (isStopOrdered) return stoppedBeforeStart();
        String why =
                disruption()
                        .orElseGet(
                                () ->
                                        "the node "
                                                + nodeName()
                                                + " did not take its pod: "
                                                + reasonAndMessage());
        return lost(why, false);
    }

    private PodState stoppedBeforeStart() {
        return new PodState.Ended(
                Exit.stopped(TERMINATED, "it was stopped before it started", now), false);
    }

    private Optional<PodState> goneByDeletion(boolean isRunning) {
        boolean isForced =
                pod.getSpec().getNodeName() == null
                        || Long.valueOf(0)
                                .equals(pod.getMetadata().getDeletionGracePeriodSeconds());
        if (!isRunning && isForced)
            return Optional.of(
                    isStopOrdered ? stoppedBeforeStart() : lost(deletedByOthers(), false));
        Instant due = time(pod.getMetadata().getDeletionTimestamp()).orElse(now);
        boolean isOverdue = now.isAfter(due.plus(KUBELET_PATIENCE));
        if (node == NodeHealth.NOT_READY && (!isStopOrdered || isOverdue))
            return Optional.of(lost("its node " + nodeName() + " does not answer", isRunning));
        if (isForced && isOverdue)
            return Optional.of(lost("its pod was deleted by force", isRunning));
        return Optional.empty();
    }

    private static PodState.Ended lost(String why, Instant at, boolean hasLog) {
        return new PodState.Ended(Exit.lost(why, at), hasLog);
    }

    private PodState.Ended lost(String why, boolean hasLog) {
        return lost(why, now, hasLog && node != NodeHealth.GONE && node != NodeHealth.NOT_READY);
    }

    /** When somebody asked for the deletion; the grace is a part of the time stamp. */
    private Optional<Instant> deletion() {
        var meta = pod.getMetadata();
        long grace = Optional.ofNullable(meta.getDeletionGracePeriodSeconds()).orElse(0L);
        return time(meta.getDeletionTimestamp()).map(due -> due.minusSeconds(grace));
    }

    private String deletedByOthers() {
        return node == NodeHealth.CORDONED
                ? "its node " + nodeName() + " was drained"
                : "somebody else deleted its pod " + pod.getMetadata().getName();
    }

    /** An end that the cluster itself has brought about. */
    private Optional<String> disruption() {
        String reason = Optional.ofNullable(pod.getStatus().getReason()).orElse("");
        if (Set.of(
                        "Evicted",
                        "Preempting",
                        "Preempted",
                        "NodeLost",
                        "Terminated",
                        "Shutdown",
                        "NodeShutdown",
                        "NodeAffinity",
                        "Terminating")
                .contains(reason))
            return Optional.of(
                    "the node " + nodeName() + " gave its pod up: " + reasonAndMessage());
        return condition("DisruptionTarget")
                .filter(condition -> "True".equals(condition.getStatus()))
                .map(
                        condition ->
                                "its pod was taken away: "
                                        + condition.getReason()
                                        + Optional.ofNullable(condition.getMessage())
                                                .map(text -> ": " + text)
                                                .orElse(""));
    }

    private String reasonAndMessage() {
        String reason = Optional.ofNullable(pod.getStatus().getReason()).orElse("");
        String message = Optional.ofNullable(pod.getStatus().getMessage()).orElse("");
        if (reason.isEmpty() && message.isEmpty()) return "it did not say why";
        return message.isEmpty() || reason.isEmpty() ? reason + message : reason + ": " + message;
    }

    private static Optional<Trouble> trouble(ContainerStateWaiting waiting) {
        String reason = Optional.ofNullable(waiting.getReason()).orElse("");
        String message = Optional.ofNullable(waiting.getMessage()).orElse("");
        String text = message.isEmpty() ? reason : reason + ": " + message;
        if (reason.equals("InvalidImageName"))
            return Optional.of(new Trouble(Trouble.Kind.HOPELESS, text));
        // While all is well a container that is being made has nothing to say.
        boolean isStuck = reason.equals("ContainerCreating") && !message.isEmpty();
        return JOB_TROUBLES.contains(reason) || isStuck
                ? Optional.of(new Trouble(Trouble.Kind.JOB, text))
                : Optional.empty();
    }

    private Optional<Trouble> unschedulable() {
        var gated =
                condition("PodScheduled")
                        .filter(condition -> "SchedulingGated".equals(condition.getReason()));
        if (gated.isPresent())
            return Optional.of(
                    new Trouble(
                            Trouble.Kind.QUEUED,
                            "waits until a queue of the cluster admits it ("
                                    + pod.getSpec().getSchedulingGates().stream()
                                            .map(PodSchedulingGate::getName)
                                            .collect(Collectors.joining(", "))
                                    + ")"));
        return condition("PodScheduled")
                .filter(condition -> "Unschedulable".equals(condition.getReason()))
                .map(
                        condition ->
                                new Trouble(
                                        kind(String.valueOf(condition.getMessage())),
                                        "Unschedulable: " + condition.getMessage()));
    }

    private Trouble.Kind kind(String message) {
        // No other node has a claim that is not there.
        if (CLAIM_MISSING.matcher(message).find()) return Trouble.Kind.JOB;
        return isNominated() ? Trouble.Kind.SOON : Trouble.Kind.PLACE;
    }

    /** The scheduler has chosen the node, and now stops pods of less rank there. */
    private boolean isNominated() {
        String node = pod.getStatus().getNominatedNodeName();
        return node != null && !node.isEmpty();
    }

    private Optional<PodCondition> condition(String type) {
        List<PodCondition> conditions =
                pod.getStatus() == null ? null : pod.getStatus().getConditions();
        return conditions == null
                ? Optional.empty()
                : conditions.stream().filter(each -> type.equals(each.getType())).findFirst();
    }

    /** Of the task: webhooks may have put others beside it. */
    private Optional<ContainerState> container() {
        List<ContainerStatus> statuses =
                pod.getStatus() == null ? null : pod.getStatus().getContainerStatuses();
        return statuses == null
                ? Optional.empty()
                : statuses.stream()
                        .filter(each -> Marks.CONTAINER.equals(each.getName()))
                        .findFirst()
                        .map(ContainerStatus::getState);
    }

    private String phase() {
        return pod.getStatus() == null || pod.getStatus().getPhase() == null
                ? "Pending"
                : pod.getStatus().getPhase();
    }

    private String nodeName() {
        return Optional.ofNullable(pod.getSpec().getNodeName()).orElse("(none)");
    }

    static Optional<Instant> time(String text) {
        if (text == null || text.isEmpty()) return Optional.empty();
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
