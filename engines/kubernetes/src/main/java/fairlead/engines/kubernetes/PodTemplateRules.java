package fairlead.engines.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What may not stand in a pod template, and why. Some is Fairlead's own, or a job would not be the
 * one that it counts; some would give a job more rights than its owner has, so only the cluster's
 * template may say it.
 */
record PodTemplateRules(KubernetesSettings settings) {
    private static final Set<String> TOP = Set.of("apiVersion", "kind", "metadata", "spec");
    private static final Set<String> METADATA = Set.of("labels", "annotations");
    private static final String OURS = "fairlead/";

    /** Of the pod, with the reason. docs/kubernetes.md has the same list, which a test compares. */
    static final Map<String, String> FIXED =
            Map.of(
                    "restartPolicy", "attempts are counted by Fairlead; say retries",
                    "nodeName", "the scheduler of Fairlead chooses the node",
                    "hostname", "tasks of a gang meet by it",
                    "subdomain", "tasks of a gang meet by it",
                    "activeDeadlineSeconds", "say time",
                    "ephemeralContainers", "they are added to pods that run; say containers",
                    "schedulingGates", "a queue system adds its own");

    /** Of the task's container. */
    static final Map<String, String> FIXED_OF_TASK =
            Map.of(
                    "command", "say command in the job",
                    "args", "say command in the job",
                    "image", "say image in the job, or NAME.image in the settings",
                    "workingDir", "say workdir in the job",
                    "stdin", "say container.stdin in the job",
                    "tty", "say container.tty in the job");

    /** Of the task's container: what the scheduler counts. */
    static final Set<String> COUNTED = Set.of("cpu", "memory", TaskPods.GPU);

    /** Of jobs: what would give more rights than their owner has. */
    static final Map<String, String> RIGHTS =
            Map.of(
                    "hostPID", "it shows the processes of everybody on the node",
                    "hostUsers", "it is the cluster's choice");

    static final Set<String> RIGHTS_OF_CONTAINERS = Set.of("privileged", "procMount");

    /** Why the cluster's own template cannot be used; empty when it can. */
    Optional<String> ofCluster(ObjectNode template) {
        return form(template);
    }

    /** Why the template of a job cannot be used; empty when it can. */
    Optional<String> ofJob(ObjectNode template) {
        return form(template).or(() -> rights(template.path("spec")));
    }

    private static Optional<String> form(ObjectNode template) {
        for (var each : template.properties()) {
            if (!TOP.contains(each.getKey()))
                return Optional.of(each.getKey() + " is not of a pod; possible are metadata, spec");
        }
        for (var each : template.path("metadata").properties()) {
            if (!METADATA.contains(each.getKey()))
                return Optional.of("metadata." + each.getKey() + " is set by Fairlead");
            for (var mark : each.getValue().properties()) {
                if (mark.getKey().startsWith(OURS))
                    return Optional.of(mark.getKey() + " is set by Fairlead");
            }
        }
        JsonNode spec = template.path("spec");
        for (var fixed : FIXED.entrySet()) {
            if (spec.has(fixed.getKey()))
                return Optional.of("spec." + fixed.getKey() + ": " + fixed.getValue());
        }
        for (JsonNode container : spec.path("containers")) {
            if (!container.path("name").asText().equals(Marks.CONTAINER)) continue;
            var problem = task(container);
            if (problem.isPresent()) return problem;
        }
        return Optional.empty();
    }

    private static Optional<String> task(JsonNode container) {
        for (var fixed : FIXED_OF_TASK.entrySet()) {
            if (container.has(fixed.getKey()))
                return Optional.of(
                        "the container task: " + fixed.getKey() + ": " + fixed.getValue());
        }
        for (String kind : List.of("limits", "requests")) {
            for (String counted : COUNTED) {
                if (container.path("resources").path(kind).has(counted))
                    return Optional.of(
                            "the container task: "
                                    + counted
                                    + " is counted by Fairlead; say gpus, cpus and memory in the"
                                    + " job");
            }
        }
        return Optional.empty();
    }

    private Optional<String> rights(JsonNode spec) {
        for (var right : RIGHTS.entrySet()) {
            if (spec.has(right.getKey()))
                return Optional.of("spec." + right.getKey() + ": " + right.getValue());
        }
        var listed =
                listed(spec, "serviceAccountName", "service-accounts", settings.rules().accounts())
                        .or(
                                () ->
                                        listed(
                                                spec,
                                                "priorityClassName",
                                                "priority-classes",
                                                settings.rules().priorityClasses()));
        if (listed.isPresent()) return listed;
        boolean hasAccount = spec.has("serviceAccountName");
        if (spec.path("automountServiceAccountToken").asBoolean() && !hasAccount)
            return Optional.of(
                    "spec.automountServiceAccountToken: the account of the namespace is not the"
                            + " job's; name one that '"
                            + settings.cluster()
                            + ".service-accounts' allows");
        for (JsonNode volume : spec.path("volumes")) {
            var problem = volume(volume, hasAccount);
            if (problem.isPresent()) return problem;
        }
        for (String kind : List.of("initContainers", "containers")) {
            for (JsonNode container : spec.path(kind)) {
                var problem = container(container);
                if (problem.isPresent()) return problem;
            }
        }
        return privileges("spec.securityContext", spec.path("securityContext"));
    }

    private Optional<String> listed(
            JsonNode spec, String field, String setting, List<String> allowed) {
        String name = spec.path(field).asText("");
        if (name.isEmpty() || allowed.contains(name)) return Optional.empty();
        return Optional.of(
                "spec.%s: '%s.%s' does not allow '%s'%s"
                        .formatted(
                                field,
                                settings.cluster(),
                                setting,
                                name,
                                allowed.isEmpty() ? "" : "; it allows " + allowed));
    }

    private Optional<String> volume(JsonNode volume, boolean hasAccount) {
        String name = "the volume " + volume.path("name").asText();
        String folder = volume.path("hostPath").path("path").asText("");
        if (volume.has("hostPath") && !isAllowed(folder))
            return Optional.of(
                    "%s: '%s.host-paths' does not allow %s"
                            .formatted(name, settings.cluster(), folder));
        var secret = secret(name, volume.path("secret").path("secretName"));
        if (secret.isPresent()) return secret;
        for (JsonNode source : volume.path("projected").path("sources")) {
            if (source.has("serviceAccountToken") && !hasAccount)
                return Optional.of(name + ": a token needs a serviceAccountName that is allowed");
            var problem = secret(name, source.path("secret").path("name"));
            if (problem.isPresent()) return problem;
        }
        return Optional.empty();
    }

    private boolean isAllowed(String folder) {
        return folder.startsWith("/")
                && settings.hostPaths().stream()
                        .anyMatch(each -> Path.of(folder).normalize().startsWith(each));
    }

    private static Optional<String> container(JsonNode container) {
        String name = "the container " + container.path("name").asText();
        for (JsonNode from : container.path("envFrom")) {
            var problem = secret(name, from.path("secretRef").path("name"));
            if (problem.isPresent()) return problem;
        }
        for (JsonNode variable : container.path("env")) {
            var problem = secret(name, variable.at("/valueFrom/secretKeyRef/name"));
            if (problem.isPresent()) return problem;
        }
        return privileges(name, container.path("securityContext"));
    }

    /** Those of other jobs of the namespace hold their owners' tokens. */
    private static Optional<String> secret(String where, JsonNode name) {
        return name.asText("").startsWith("fairlead-")
                ? Optional.of(where + ": secrets called fairlead-... belong to other jobs")
                : Optional.empty();
    }

    private static Optional<String> privileges(String where, JsonNode context) {
        for (String right : RIGHTS_OF_CONTAINERS) {
            if (context.has(right))
                return Optional.of(where + ": " + right + " is for the cluster's template");
        }
        if (context.path("allowPrivilegeEscalation").asBoolean()
                || !context.path("capabilities").path("add").isEmpty())
            return Optional.of(where + ": more privileges are for the cluster's template");
        return Optional.empty();
    }
}
