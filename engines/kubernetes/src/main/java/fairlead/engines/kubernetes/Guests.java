package fairlead.engines.kubernetes;

import fairlead.cluster.Guest;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Pods that people have made by hand and marked as theirs. */
final class Guests {
    private Guests() {}

    /** Oldest first, then by name: the same pods always give the same list. */
    static List<Guest> of(Collection<Pod> pods, String server) {
        return pods.stream()
                .filter(pod -> !Marks.label(pod, Marks.USER).isEmpty())
                .filter(pod -> !Marks.label(pod, Marks.SERVER).equals(server))
                .filter(pod -> !Capacity.isEnded(pod))
                .map(Guests::guest)
                .sorted(Comparator.comparing(Guest::created).thenComparing(Guest::name))
                .toList();
    }

    private static Guest guest(Pod pod) {
        var meta = pod.getMetadata();
        var status = pod.getStatus();
        return new Guest(
                meta.getName(),
                meta.getNamespace(),
                Marks.label(pod, Marks.USER),
                Names.priority(Marks.label(pod, Marks.PRIORITY)),
                gpus(pod),
                Optional.ofNullable(pod.getSpec().getNodeName()),
                status == null || status.getPhase() == null ? "Pending" : status.getPhase(),
                PodReading.time(meta.getCreationTimestamp()).orElse(Instant.EPOCH),
                status == null ? Optional.empty() : PodReading.time(status.getStartTime()));
    }

    private static int gpus(Pod pod) {
        int sum = 0;
        for (Container each : pod.getSpec().getContainers()) {
            var limits = each.getResources() == null ? null : each.getResources().getLimits();
            sum += Capacity.amount(limits, TaskPods.GPU).orElse(BigDecimal.ZERO).intValue();
        }
        return sum;
    }
}
