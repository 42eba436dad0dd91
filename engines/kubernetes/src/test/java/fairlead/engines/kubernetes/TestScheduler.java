package fairlead.engines.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The mock's scheduler: binds pods to nodes that suit them, and says why it cannot. */
final class TestScheduler {
    private static final List<String> COUNTED = List.of("cpu", "memory", TestKubelet.GPU);
    private static final List<String> ENDED = List.of("Succeeded", "Failed");

    private final MockApi api;

    TestScheduler(MockApi api) {
        this.api = api;
    }

    /**
     * Looks at all pods that have no node yet.
     *
     * @param objects everything there is, by path
     */
    void look(Map<String, HasMetadata> objects) throws ApiError {
        var pods = new ArrayList<Pod>();
        var nodes = new ArrayList<Node>();
        for (HasMetadata each : objects.values()) {
            if (each instanceof Pod pod) pods.add(pod);
            if (each instanceof Node node) nodes.add(node);
        }
        if (pods.stream().allMatch(TestScheduler::bound)) return;
        Map<String, Map<String, BigDecimal>> used = new HashMap<>();
        for (Pod pod : pods) {
            if (!bound(pod) || ENDED.contains(pod.getStatus().getPhase())) continue;
            add(used.computeIfAbsent(pod.getSpec().getNodeName(), _ -> new HashMap<>()), pod);
        }
        pods.sort(Comparator.comparing(pod -> pod.getMetadata().getCreationTimestamp()));
        for (Pod pod : pods) {
            if (bound(pod) || pod.getMetadata().getDeletionTimestamp() != null) continue;
            if (!pod.getSpec().getSchedulerName().equals("default-scheduler")) continue;
            try {
                if (!pod.getSpec().getSchedulingGates().isEmpty()) {
                    report(pod, "SchedulingGated", "Scheduling is blocked due to non-empty gates");
                    continue;
                }
                schedule(pod, nodes, used, objects.keySet());
            } catch (ApiError e) {
                // It is gone by now; the others are not.
                if (e.code() != 404) throw e;
            }
        }
    }

    private static boolean bound(Pod pod) {
        String node = pod.getSpec().getNodeName();
        return node != null && !node.isEmpty();
    }

    private void schedule(
            Pod pod, List<Node> nodes, Map<String, Map<String, BigDecimal>> used, Set<String> paths)
            throws ApiError {
        var metadata = pod.getMetadata();
        var reasons = new TreeMap<String, Integer>();
        var claim = missingClaim(pod, paths);
        if (claim.isPresent()) {
            unschedulable(pod, "persistentvolumeclaim \"" + claim.get() + "\" not found");
            return;
        }
        for (Node node : nodes) {
            String name = node.getMetadata().getName();
            var why = obstacle(pod, node, used.getOrDefault(name, Map.of()));
            if (why.isEmpty()) {
                bindClaims(pod);
                api.bindAs(metadata.getNamespace(), metadata.getName(), name);
                add(used.computeIfAbsent(name, _ -> new HashMap<>()), pod);
                return;
            }
            reasons.merge(why.get(), 1, Integer::sum);
        }
        var words = new ArrayList<String>();
        reasons.forEach((why, count) -> words.add(count + " " + why));
        unschedulable(
                pod,
                nodes.isEmpty()
                        ? "no nodes available to schedule pods"
                        : "0/"
                                + nodes.size()
                                + " nodes are available: "
                                + String.join(", ", words)
                                + ". preemption: 0/"
                                + nodes.size()
                                + " nodes are available: "
                                + nodes.size()
                                + " Preemption is not helpful for scheduling.");
    }

    private static Optional<String> obstacle(Pod pod, Node node, Map<String, BigDecimal> used) {
        if (Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
            return Optional.of("node(s) were unschedulable");
        }
        for (Taint taint : node.getSpec().getTaints()) {
            if (taint.getEffect().equals("PreferNoSchedule")) continue;
            if (pod.getSpec().getTolerations().stream().anyMatch(each -> tolerates(each, taint))) {
                continue;
            }
            String value = taint.getValue() == null ? "" : taint.getValue();
            return Optional.of(
                    "node(s) had untolerated taint {" + taint.getKey() + ": " + value + "}");
        }
        if (!suits(pod, node)) {
            return Optional.of("node(s) didn't match Pod's node affinity/selector");
        }
        var wanted = new HashMap<String, BigDecimal>();
        add(wanted, pod);
        for (String each : COUNTED) {
            BigDecimal want = wanted.getOrDefault(each, BigDecimal.ZERO);
            if (want.signum() == 0) continue;
            Quantity has = node.getStatus().getAllocatable().get(each);
            BigDecimal free =
                    (has == null ? BigDecimal.ZERO : has.getNumericalAmount())
                            .subtract(used.getOrDefault(each, BigDecimal.ZERO));
            if (free.compareTo(want) < 0) return Optional.of("Insufficient " + each);
        }
        return Optional.empty();
    }

    private static boolean tolerates(Toleration toleration, Taint taint) {
        String key = toleration.getKey() == null ? "" : toleration.getKey();
        String effect = toleration.getEffect() == null ? "" : toleration.getEffect();
        if (!effect.isEmpty() && !effect.equals(taint.getEffect())) return false;
        if (!key.isEmpty() && !key.equals(taint.getKey())) return false;
        if ("Exists".equals(toleration.getOperator())) return true;
        String own = toleration.getValue() == null ? "" : toleration.getValue();
        String value = taint.getValue() == null ? "" : taint.getValue();
        return !key.isEmpty() && own.equals(value);
    }

    private static boolean suits(Pod pod, Node node) {
        var labels = node.getMetadata().getLabels();
        var selector = pod.getSpec().getNodeSelector();
        if (selector != null && !labels.entrySet().containsAll(selector.entrySet())) return false;
        var affinity = pod.getSpec().getAffinity();
        if (affinity == null || affinity.getNodeAffinity() == null) return true;
        var required =
                affinity.getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution();
        if (required == null) return true;
        return required.getNodeSelectorTerms().stream().anyMatch(term -> matches(term, node));
    }

    private static boolean matches(NodeSelectorTerm term, Node node) {
        var name = Map.of("metadata.name", node.getMetadata().getName());
        var labels = node.getMetadata().getLabels();
        if (term.getMatchFields().isEmpty() && term.getMatchExpressions().isEmpty()) return false;
        return term.getMatchFields().stream().allMatch(each -> matches(each, name))
                && term.getMatchExpressions().stream().allMatch(each -> matches(each, labels));
    }

    private static boolean matches(NodeSelectorRequirement wanted, Map<String, String> facts) {
        String value = facts.get(wanted.getKey());
        return switch (wanted.getOperator()) {
            case "In" -> value != null && wanted.getValues().contains(value);
            case "NotIn" -> value == null || !wanted.getValues().contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            default -> throw new IllegalStateException("no such operator: " + wanted.getOperator());
        };
    }

    private static void add(Map<String, BigDecimal> sums, Pod pod) {
        for (var container : pod.getSpec().getContainers()) {
            if (container.getResources() == null) continue;
            var requests = container.getResources().getRequests();
            if (requests == null) continue;
            requests.forEach(
                    (what, much) -> sums.merge(what, much.getNumericalAmount(), BigDecimal::add));
        }
    }

    private static List<String> claims(Pod pod) {
        return pod.getSpec().getVolumes().stream()
                .filter(volume -> volume.getPersistentVolumeClaim() != null)
                .map(volume -> volume.getPersistentVolumeClaim().getClaimName())
                .toList();
    }

    private static String path(Pod pod, String plural, String name) {
        return "/api/v1/namespaces/" + pod.getMetadata().getNamespace() + "/" + plural + "/" + name;
    }

    private static Optional<String> missingClaim(Pod pod, Set<String> paths) {
        return claims(pod).stream()
                .filter(claim -> !paths.contains(path(pod, "persistentvolumeclaims", claim)))
                .findFirst();
    }

    /** As a provisioner does for the first pod that needs it. */
    private void bindClaims(Pod pod) throws ApiError {
        for (String claim : claims(pod)) {
            var call = ApiCall.of("PUT", path(pod, "persistentvolumeclaims", claim));
            api.status(call, JsonNodeFactory.instance.objectNode().put("phase", "Bound"));
        }
    }

    private void unschedulable(Pod pod, String message) throws ApiError {
        report(pod, "Unschedulable", message);
    }

    private void report(Pod pod, String reason, String message) throws ApiError {
        var metadata = pod.getMetadata();
        ObjectNode now = api.pod(metadata.getNamespace(), metadata.getName());
        ObjectNode status = now.withObject("status");
        var conditions = status.withArray("conditions");
        conditions.removeAll();
        conditions
                .addObject()
                .put("type", "PodScheduled")
                .put("status", "False")
                .put("reason", reason)
                .put("message", message);
        api.status(ApiCall.of("PUT", path(pod, "pods", metadata.getName())), status);
    }
}
