package fairlead.engines.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A part of a pod that a cluster or a job wants, and how ours is merged into it: fields of objects
 * one by one, lists by the key that Kubernetes gives them, and where both say the same, ours stays.
 * {@link PodTemplateRules} says what may stand in one.
 */
final class PodTemplate {
    /** By which Kubernetes knows the entries of a list again. */
    private static final Map<String, String> KEYS =
            Map.of(
                    "containers", "name",
                    "initContainers", "name",
                    "volumes", "name",
                    "env", "name",
                    "imagePullSecrets", "name",
                    "volumeMounts", "mountPath",
                    "ports", "containerPort");

    /** Lists of which all entries count. */
    private static final Set<String> JOINED = Set.of("tolerations", "envFrom");

    /** What ours says only where nobody says anything. */
    private static final Set<String> SOFT =
            Set.of(
                    "terminationGracePeriodSeconds",
                    "automountServiceAccountToken",
                    "enableServiceLinks",
                    "shareProcessNamespace",
                    "securityContext");

    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String TERMS = "nodeSelectorTerms";

    private PodTemplate() {}

    /** Of JSON or YAML; throws IllegalArgumentException with the reason. */
    static ObjectNode parse(String text) {
        // The client takes whatever begins with a brace for JSON, but YAML may too.
        String yaml = text.stripLeading().startsWith("{") ? "---\n" + text : text;
        JsonNode tree = Serialization.unmarshal(yaml, JsonNode.class);
        if (tree instanceof ObjectNode object) return object;
        throw new IllegalArgumentException("is no object with metadata and spec");
    }

    /**
     * @param templates the more important ones later
     */
    static Pod merged(Pod ours, List<ObjectNode> templates) {
        if (templates.isEmpty()) return ours;
        ObjectNode base = JsonNodeFactory.instance.objectNode();
        for (ObjectNode template : templates) base = (ObjectNode) merge("", base, template);
        ObjectNode own = (ObjectNode) tree(ours);
        ObjectNode spec = own.withObject("spec");
        SOFT.stream().filter(base.path("spec")::has).forEach(spec::remove);
        JsonNode place = spec.remove("affinity");
        var whole = (ObjectNode) merge("", base, own);
        if (place != null) restrict(whole.withObject("spec").withObject("affinity"), place);
        whole.remove("status");
        return Serialization.unmarshal(Serialization.asJson(whole), Pod.class);
    }

    private static JsonNode tree(Pod pod) {
        return Serialization.unmarshal(Serialization.asJson(pod), JsonNode.class);
    }

    private static JsonNode merge(String field, JsonNode base, JsonNode over) {
        if (base.isObject() && over.isObject()) {
            ObjectNode merged = base.deepCopy();
            for (var each : over.properties()) {
                JsonNode under = merged.path(each.getKey());
                merged.set(each.getKey(), merge(each.getKey(), under, each.getValue()));
            }
            return merged;
        }
        if (base.isArray() && over.isArray()) return lists(field, (ArrayNode) base, over);
        return over.isNull() ? base : over;
    }

    private static JsonNode lists(String field, ArrayNode base, JsonNode over) {
        String key = KEYS.get(field);
        if (key == null && !JOINED.contains(field)) return over;
        ArrayNode merged = base.deepCopy();
        for (JsonNode each : over) {
            int place = key == null ? -1 : index(merged, key, each.path(key));
            if (place < 0) merged.add(each);
            else merged.set(place, merge("", merged.get(place), each));
        }
        return merged;
    }

    private static int index(ArrayNode list, String key, JsonNode value) {
        for (int i = 0; i < list.size(); i++) if (list.get(i).path(key).equals(value)) return i;
        return -1;
    }

    /** Of the nodes that the template allows, only ours: its terms are choices, ours is none. */
    private static void restrict(ObjectNode affinity, JsonNode ours) {
        JsonNode term = ours.at("/nodeAffinity/" + REQUIRED + "/" + TERMS + "/0");
        ArrayNode terms = affinity.withObject("nodeAffinity").withObject(REQUIRED).withArray(TERMS);
        if (terms.isEmpty()) {
            terms.add(term);
            return;
        }
        for (JsonNode each : terms) {
            ((ObjectNode) each)
                    .withArray("matchFields")
                    .addAll((ArrayNode) term.get("matchFields"));
        }
    }
}
