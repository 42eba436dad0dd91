package fairlead.engines.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** What a real API server checks in objects and adds to them, as far as the engine meets it. */
final class ObjectRules {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
    private static final Pattern LABEL_VALUE =
            Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");
    private static final String GENERATED = "bcdfghjklmnpqrstvwxz2456789";
    private static final int LABEL_LENGTH_MAX = 63;
    private static final int SUBDOMAIN_LENGTH_MAX = 253;

    private ObjectRules() {}

    /** The name of the object, made from generateName if it has none. */
    static String name(ObjectNode object) throws ApiError {
        var metadata = object.withObject("metadata");
        String name = metadata.path("name").asText("");
        String prefix = metadata.path("generateName").asText("");
        if (!name.isEmpty()) return name;
        if (prefix.isEmpty()) {
            throw ApiError.invalid(
                    object.path("kind").asText(),
                    "",
                    "metadata.name: Required value: name or generateName is required");
        }
        var made = new StringBuilder(prefix);
        for (int i = 0; i < 5; i++) {
            int at = ThreadLocalRandom.current().nextInt(GENERATED.length());
            made.append(GENERATED.charAt(at));
        }
        metadata.put("name", made.toString());
        return made.toString();
    }

    static void check(ApiCall call, ObjectNode object, String name) throws ApiError {
        String kind = object.path("kind").asText();
        boolean label = List.of("namespaces", "services").contains(call.plural());
        int longest = label ? LABEL_LENGTH_MAX : SUBDOMAIN_LENGTH_MAX;
        if (!name.matches(label ? LABEL : SUBDOMAIN)) {
            throw ApiError.invalid(kind, name, "metadata.name: " + notDns(label, name));
        }
        if (name.length() > longest) {
            throw ApiError.invalid(
                    kind,
                    name,
                    "metadata.name: Invalid value: \""
                            + name
                            + "\": must be no more than "
                            + longest
                            + " characters");
        }
        for (var each : object.path("metadata").path("labels").properties()) {
            String value = each.getValue().asText();
            if (LABEL_VALUE.matcher(value).matches() && value.length() <= LABEL_LENGTH_MAX)
                continue;
            throw ApiError.invalid(
                    kind,
                    name,
                    "metadata.labels: Invalid value: \""
                            + value
                            + "\": a valid label must be an empty string or consist of alphanumeric"
                            + " characters, '-', '_' or '.', and must start and end with an"
                            + " alphanumeric character, of at most 63 characters");
        }
        if (kind.equals("Pod")) checkPod(object.path("spec"), name);
    }

    private static String notDns(boolean label, String value) {
        return "Invalid value: \""
                + value
                + "\": a lowercase RFC 1123 "
                + (label ? "label" : "subdomain")
                + " must consist of lower case alphanumeric characters"
                + (label ? " or '-'" : ", '-' or '.'")
                + ", and must start and end with an alphanumeric character (e.g. "
                + (label ? "'my-name'" : "'example.com'")
                + ", regex used for validation is '"
                + (label ? LABEL : SUBDOMAIN)
                + "')";
    }

    private static void checkPod(JsonNode spec, String pod) throws ApiError {
        Set<String> volumes = new HashSet<>();
        for (JsonNode each : spec.path("volumes")) volumes.add(each.path("name").asText());
        if (spec.path("containers").isEmpty()) {
            throw ApiError.invalid("Pod", pod, "spec.containers: Required value");
        }
        for (JsonNode container : spec.path("containers")) {
            String field = "spec.containers[0].";
            String name = container.path("name").asText();
            if (!name.matches(LABEL) || name.length() > LABEL_LENGTH_MAX) {
                throw ApiError.invalid("Pod", pod, field + "name: " + notDns(true, name));
            }
            if (container.path("image").asText("").isEmpty()) {
                throw ApiError.invalid("Pod", pod, field + "image: Required value");
            }
            Set<String> targets = new HashSet<>();
            for (JsonNode mount : container.path("volumeMounts")) {
                String volume = mount.path("name").asText();
                if (!volumes.contains(volume)) {
                    throw ApiError.invalid(
                            "Pod",
                            pod,
                            field + "volumeMounts[0].name: Not found: \"" + volume + "\"");
                }
                String target = mount.path("mountPath").asText();
                if (!targets.add(target)) {
                    throw ApiError.invalid(
                            "Pod",
                            pod,
                            field
                                    + "volumeMounts[0].mountPath: Invalid value: \""
                                    + target
                                    + "\": must be unique");
                }
            }
            checkResources(container.path("resources"), pod);
        }
    }

    private static void checkResources(JsonNode resources, String pod) throws ApiError {
        for (var each : resources.path("requests").properties()) {
            if (!each.getKey().contains("/")) continue;
            JsonNode limit = resources.path("limits").path(each.getKey());
            if (limit.asText().equals(each.getValue().asText())) continue;
            throw ApiError.invalid(
                    "Pod",
                    pod,
                    "spec.containers[0].resources.requests: Invalid value: \""
                            + each.getValue().asText()
                            + "\": must be equal to "
                            + each.getKey()
                            + " limit");
        }
    }

    /** What a new object has before anyone has touched it. */
    static void addDefaults(ApiCall call, ObjectNode object) {
        object.remove("status");
        switch (call.plural()) {
            case "pods" -> {
                var spec = object.withObject("spec");
                if (!spec.has("restartPolicy")) spec.put("restartPolicy", "Always");
                if (!spec.has("terminationGracePeriodSeconds")) {
                    spec.put("terminationGracePeriodSeconds", 30);
                }
                if (!spec.has("schedulerName")) spec.put("schedulerName", "default-scheduler");
                for (JsonNode container : spec.path("containers")) {
                    var resources = ((ObjectNode) container).withObject("resources");
                    if (!resources.has("limits")) continue;
                    var requests = resources.withObject("requests");
                    for (var limit : resources.path("limits").properties()) {
                        if (!requests.has(limit.getKey())) {
                            requests.set(limit.getKey(), limit.getValue());
                        }
                    }
                }
                object.withObject("status").put("phase", "Pending").put("qosClass", "BestEffort");
            }
            case "namespaces" -> object.withObject("status").put("phase", "Active");
            case "persistentvolumeclaims" -> object.withObject("status").put("phase", "Pending");
            default -> {}
        }
    }

    /** A secret's plain values move into its encoded ones. */
    static void encode(ObjectNode object) {
        if (!object.path("kind").asText().equals("Secret") || !object.has("stringData")) return;
        var data = object.withObject("data");
        for (var each : object.path("stringData").properties()) {
            byte[] bytes = each.getValue().asText().getBytes(StandardCharsets.UTF_8);
            data.put(each.getKey(), Base64.getEncoder().encodeToString(bytes));
        }
        object.remove("stringData");
    }

    /** Whether its status is written by its subresource alone. */
    static boolean hasStatus(ApiCall call) {
        return List.of("pods", "nodes", "namespaces", "persistentvolumeclaims", "services")
                .contains(call.plural());
    }

    /** A pod's spec is almost all fixed once it is made. */
    static void checkUpdate(ObjectNode before, ObjectNode after) throws ApiError {
        if (!before.path("kind").asText().equals("Pod")) return;
        if (fixed(before).equals(fixed(after))) return;
        throw ApiError.invalid(
                "Pod",
                before.path("metadata").path("name").asText(),
                "spec: Forbidden: pod updates may not change fields other than"
                    + " `spec.containers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations`"
                    + " (only additions to existing tolerations)");
    }

    private static JsonNode fixed(ObjectNode pod) {
        ObjectNode spec = pod.path("spec").deepCopy();
        spec.remove(
                List.of(
                        "activeDeadlineSeconds",
                        "tolerations",
                        "schedulingGates",
                        "terminationGracePeriodSeconds"));
        for (JsonNode container : spec.path("containers")) ((ObjectNode) container).remove("image");
        return spec;
    }
}
