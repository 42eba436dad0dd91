package fairlead.engines.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.fabric8.kubernetes.api.model.Quantity;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What stands between a pod and a real API server besides its form: quotas of its namespace, the
 * rules of PodSecurity, and webhooks that put containers into it. In the words of a real one.
 */
final class TestAdmission {
    /** As a mesh says that its proxy is to be put into each pod of the namespace. */
    static final String INJECTION = "istio-injection";

    static final String SIDECAR = "istio-proxy";

    private static final String ENFORCE = "pod-security.kubernetes.io/enforce";

    private TestAdmission() {}

    /**
     * As mutating webhooks do: Kueue holds a pod with its label back, and a mesh puts its proxy
     * first, which goes on when the task has ended.
     */
    static void mutate(JsonNode namespace, ObjectNode pod) {
        if (!label(pod, "kueue.x-k8s.io/queue-name").isEmpty())
            pod.withObject("spec")
                    .withArray("schedulingGates")
                    .addObject()
                    .put("name", "kueue.x-k8s.io/admission");
        if (!label(namespace, INJECTION).equals("enabled")) return;
        ObjectNode proxy = JsonNodeFactory.instance.objectNode();
        proxy.put("name", SIDECAR).put("image", "istio/proxy:1.24");
        proxy.withArray("command").add("sh").add("-c").add("trap 'exit 7' TERM; sleep 600 & wait");
        pod.withObject("spec").withArray("containers").insert(0, proxy);
    }

    private static String label(JsonNode object, String name) {
        return object.path("metadata").path("labels").path(name).asText("");
    }

    /**
     * @param quotas of the namespace
     * @param others pods that are there
     */
    static void check(
            JsonNode namespace,
            ObjectNode pod,
            Collection<? extends JsonNode> quotas,
            Collection<? extends JsonNode> others)
            throws ApiError {
        var problems = violations(label(namespace, ENFORCE), pod.path("spec"));
        if (!problems.isEmpty()) {
            throw forbidden(
                    pod,
                    "violates PodSecurity \""
                            + label(namespace, ENFORCE)
                            + ":latest\": "
                            + String.join(", ", problems));
        }
        for (JsonNode quota : quotas) check(pod, quota, others);
    }

    private static List<String> violations(String level, JsonNode spec) {
        var problems = new ArrayList<String>();
        if (level.isEmpty() || level.equals("privileged")) return problems;
        for (String host : List.of("hostNetwork", "hostIPC", "hostPID")) {
            if (spec.path(host).asBoolean()) problems.add("host namespaces (" + host + "=true)");
        }
        for (JsonNode volume : spec.path("volumes")) {
            if (volume.has("hostPath"))
                problems.add("hostPath volumes (volume \"" + volume.path("name").asText() + "\")");
        }
        if (!level.equals("restricted")) return problems;
        JsonNode ofPod = spec.path("securityContext");
        for (String kind : List.of("initContainers", "containers")) {
            for (JsonNode container : spec.path(kind)) {
                JsonNode own = container.path("securityContext");
                String who = " (container \"" + container.path("name").asText() + "\" must set ";
                if (own.path("allowPrivilegeEscalation").asBoolean(true))
                    problems.add(
                            "allowPrivilegeEscalation != false"
                                    + who
                                    + "securityContext.allowPrivilegeEscalation=false)");
                if (!own.path("capabilities").path("drop").toString().contains("\"ALL\""))
                    problems.add(
                            "unrestricted capabilities"
                                    + who
                                    + "securityContext.capabilities.drop=[\"ALL\"])");
                if (!either(own, ofPod, "runAsNonRoot").asBoolean())
                    problems.add(
                            "runAsNonRoot != true" + who + "securityContext.runAsNonRoot=true)");
                String profile = either(own, ofPod, "seccompProfile").path("type").asText("");
                if (!List.of("RuntimeDefault", "Localhost").contains(profile))
                    problems.add(
                            "seccompProfile"
                                    + who
                                    + "securityContext.seccompProfile.type to \"RuntimeDefault\" or"
                                    + " \"Localhost\")");
            }
        }
        return problems;
    }

    private static JsonNode either(JsonNode own, JsonNode ofPod, String field) {
        return own.has(field) ? own.path(field) : ofPod.path(field);
    }

    private static void check(ObjectNode pod, JsonNode quota, Collection<? extends JsonNode> others)
            throws ApiError {
        String name = quota.path("metadata").path("name").asText();
        Map<String, BigDecimal> asked = used(pod);
        for (var limit : quota.path("spec").path("hard").properties()) {
            String what = limit.getKey();
            boolean isCompute = what.matches("(requests|limits)\\.(cpu|memory)");
            if (isCompute && !asked.containsKey(what)) {
                throw forbidden(pod, "failed quota: " + name + ": must specify " + what);
            }
            BigDecimal used = BigDecimal.ZERO;
            for (JsonNode other : others) {
                String phase = other.path("status").path("phase").asText();
                if (List.of("Succeeded", "Failed").contains(phase)) continue;
                used = used.add(used(other).getOrDefault(what, BigDecimal.ZERO));
            }
            BigDecimal hard = Quantity.getAmountInBytes(new Quantity(limit.getValue().asText()));
            BigDecimal more = asked.getOrDefault(what, BigDecimal.ZERO);
            if (used.add(more).compareTo(hard) <= 0) continue;
            throw forbidden(
                    pod,
                    "exceeded quota: %s, requested: %s=%s, used: %s=%s, limited: %s=%s"
                            .formatted(
                                    name,
                                    what,
                                    more.toPlainString(),
                                    what,
                                    used.toPlainString(),
                                    what,
                                    limit.getValue().asText()));
        }
    }

    private static Map<String, BigDecimal> used(JsonNode pod) {
        var sums = new TreeMap<String, BigDecimal>();
        sums.put("pods", BigDecimal.ONE);
        for (JsonNode container : pod.path("spec").path("containers")) {
            for (String kind : List.of("requests", "limits")) {
                for (var each : container.path("resources").path(kind).properties()) {
                    sums.merge(
                            kind + "." + each.getKey(),
                            Quantity.getAmountInBytes(new Quantity(each.getValue().asText())),
                            BigDecimal::add);
                }
            }
        }
        return sums;
    }

    private static ApiError forbidden(ObjectNode pod, String why) {
        return new ApiError(
                403,
                "Forbidden",
                "pods \"" + pod.path("metadata").path("name").asText() + "\" is forbidden: " + why);
    }
}
