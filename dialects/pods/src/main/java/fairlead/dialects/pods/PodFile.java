package fairlead.dialects.pods;

import fairlead.api.spec.ContainerBody;
import fairlead.api.spec.SpecBody;

import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A pod of Kubernetes as a document of a file: one container that runs to its end. What a job
 * cannot have is refused where the job would be another one without it, and reported otherwise.
 */
public final class PodFile {
    private static final String GPU_PRODUCT = "nvidia.com/gpu.product";
    private static final long SECONDS_MAX = 3_650L * 86_400;
    private static final long ID_MAX = (1L << 31) - 1;

    private final List<Remark> remarks = new ArrayList<>();
    private final Map<String, Integer> lines = new HashMap<>();

    private PodFile() {}

    /** Whether this document is something of Kubernetes, of which only pods are read. */
    public static boolean isIt(Node document) {
        if (!(document instanceof MappingNode mapping)) return false;
        long marks =
                mapping.getValue().stream()
                        .map(NodeTuple::getKeyNode)
                        .filter(
                                key ->
                                        key instanceof ScalarNode scalar
                                                && scalar.getValue().matches("apiVersion|kind"))
                        .count();
        return marks == 2;
    }

    public static PodJob read(Node document) throws Misuse {
        return new PodFile().job(new Section("", document));
    }

    private PodJob job(Section pod) throws Misuse {
        String kind = pod.needed("kind");
        String version = pod.needed("apiVersion");
        if (!kind.equals("Pod") || !version.equals("v1")) {
            throw pod.mistake(
                    "kind", "must be Pod of apiVersion v1, but is " + kind + " of " + version);
        }
        Section metadata = pod.section("metadata");
        Section spec = pod.section("spec");
        if (metadata == null) throw pod.mistake("metadata", "is missing");
        if (spec == null) throw pod.mistake("spec", "is missing");
        pod.pass("status");
        pod.tellRest(remarks);
        String name = name(metadata);
        String podName = metadata.has("name") ? name : null;
        Section labels = metadata.section("labels");
        String user = labels == null ? null : labels.text("user");
        Integer priority = labels == null ? null : priority(labels);
        if (labels != null) labels.tellRest(remarks);
        metadata.tellRest(remarks);
        SpecBody body = body(name, podName, priority, spec);
        spec.tellRest(remarks);
        return new PodJob(body, user, Map.copyOf(lines), List.copyOf(remarks));
    }

    private String name(Section metadata) throws Misuse {
        String stem = metadata.text("generateName");
        String name = metadata.text("name");
        lines.put("name", metadata.line(name == null ? "generateName" : "name"));
        lines.put("container.podName", metadata.line("name"));
        if (metadata.text("namespace") != null) {
            remarks.add(
                    new Remark(
                            metadata.line("namespace"),
                            "metadata.namespace is ignored: the job's project decides"));
        }
        if (name != null) return name;
        if (stem == null) throw metadata.mistake("name", "is missing");
        return stem.replaceFirst("[-.]+$", "");
    }

    /** A label cannot begin with a minus, so {@code 0-3} is -3; what is no number is 0. */
    private Integer priority(Section labels) throws Misuse {
        String text = labels.text("priority");
        if (text == null) return null;
        lines.put("priority", labels.line("priority"));
        if (text.matches("0-\\d{1,9}")) return -Integer.parseInt(text.substring(2));
        if (text.matches("-?\\d{1,9}")) return Integer.valueOf(text);
        remarks.add(
                new Remark(
                        labels.line("priority"),
                        labels.at("priority") + " counts as 0: it is no number: '" + text + "'"));
        return 0;
    }

    private SpecBody body(String name, String podName, Integer priority, Section spec)
            throws Misuse {
        checkRestart(spec);
        Section container = container(spec);
        Limits limits = Limits.of(container, remarks);
        Variables variables = Variables.of(container);
        Storage storage = Storage.of(spec, container, limits.memory(), remarks);
        List<String> command = command(container, variables);
        Long seconds = spec.whole("activeDeadlineSeconds", SECONDS_MAX);
        mark(spec, "activeDeadlineSeconds", "time");
        for (String field : List.of("gpus", "gpuType", "cpus", "memory")) {
            mark(container, "resources", field);
        }
        mark(container, "volumeMounts", "mounts");
        mark(container, "env", "env");
        mark(container, "ports", "ports");
        mark(container, "image", "image");
        mark(container, "workingDir", "workdir");
        mark(container, container.has("command") ? "command" : "args", "command");
        String type = gpuType(spec, limits.gpus());
        List<String> ports = ports(container);
        ContainerBody around = around(podName, spec, container, storage);
        var body = new SpecBody.Edit();
        body.name = name;
        body.priority = priority;
        body.command = command;
        body.gpus = limits.gpus();
        body.gpuType = type;
        body.cpus = limits.cpus();
        body.memory = limits.memory() == null ? null : limits.memory().toString();
        body.env = variables.values();
        body.retries = 0;
        body.time = seconds == null ? null : seconds + "s";
        body.workdir = container.text("workingDir");
        body.image = container.needed("image");
        body.mounts = storage.mounts();
        body.ports = ports;
        body.container = around;
        container.pass("name");
        container.tellRest(remarks);
        return body.body();
    }

    private void mark(Section section, String key, String field) {
        lines.put(field, section.line(key));
    }

    private void checkRestart(Section spec) throws Misuse {
        String policy = spec.text("restartPolicy");
        if ("Never".equals(policy)) return;
        remarks.add(
                new Remark(
                        spec.line("restartPolicy"),
                        policy == null
                                ? "spec.restartPolicy is not said: the job is not restarted, as"
                                        + " with Never"
                                : "spec.restartPolicy "
                                        + policy
                                        + " counts as Never; 'submit --retries N' tries a failed"
                                        + " job again"));
    }

    private static Section container(Section spec) throws Misuse {
        if (!spec.sections("initContainers").isEmpty()) {
            throw spec.mistake("initContainers", "are not possible; do it in the command");
        }
        List<Section> containers = spec.sections("containers");
        if (containers.size() == 1) return containers.getFirst();
        if (!spec.has("containers")) spec.refuseNear("containers");
        throw spec.mistake(
                "containers",
                containers.isEmpty()
                        ? "are missing"
                        : "must be one, but are "
                                + containers.size()
                                + "; submit the others as pods of their own");
    }

    /** Null for the image's own program without arguments. */
    private List<String> command(Section container, Variables variables) throws Misuse {
        List<String> program = container.texts("command");
        List<String> arguments = container.texts("args");
        var words = new ArrayList<String>();
        if (program != null) words.addAll(variables.expanded(program));
        if (arguments != null) words.addAll(variables.expanded(arguments));
        return words.isEmpty() ? null : words;
    }

    private static List<String> ports(Section container) throws Misuse {
        var ports = new ArrayList<String>();
        for (Section port : container.sections("ports")) {
            String inner = port.needed("containerPort");
            String outer = port.text("hostPort");
            String protocol = port.text("protocol");
            if (protocol != null && !protocol.equals("TCP")) {
                throw port.mistake("protocol", "must be TCP, but is '" + protocol + "'");
            }
            ports.add((outer == null ? inner : outer) + ":" + inner);
        }
        return ports.isEmpty() ? null : ports;
    }

    private static String gpuType(Section spec, int gpus) throws Misuse {
        Section selector = spec.section("nodeSelector");
        if (selector == null) return null;
        for (String key : selector.keys()) {
            if (!key.equals(GPU_PRODUCT)) {
                throw selector.mistake(key, "is not possible; only " + GPU_PRODUCT + " is");
            }
        }
        if (gpus == 0) {
            throw selector.mistake(GPU_PRODUCT, "chooses among GPUs, and the pod asks for none");
        }
        return selector.text(GPU_PRODUCT);
    }

    private ContainerBody around(String podName, Section spec, Section container, Storage storage)
            throws Misuse {
        mark(container, "imagePullPolicy", "container.pullPolicy");
        mark(container, "volumeMounts", "container.shm");
        mark(spec, "imagePullSecrets", "container.pullSecrets");
        var around = new ContainerBody.Edit();
        around.podName = podName;
        around.shm = storage.shm();
        around.runAs = runAs(spec, container);
        around.entrypoint = container.has("command") ? null : true;
        around.pullPolicy = pullPolicy(container);
        around.pullSecrets = pullSecrets(spec);
        around.stdin = container.flag("stdin");
        around.tty = container.flag("tty");
        around.hostIpc = spec.flag("hostIPC");
        around.hostNetwork = spec.flag("hostNetwork");
        return around.body();
    }

    private static String pullPolicy(Section container) throws Misuse {
        String policy = container.text("imagePullPolicy");
        if (policy == null) return null;
        return switch (policy) {
            case "Always" -> "always";
            case "IfNotPresent" -> "if-not-present";
            case "Never" -> "never";
            default ->
                    throw container.mistake(
                            "imagePullPolicy",
                            "must be Always, IfNotPresent or Never, but is '" + policy + "'");
        };
    }

    private static List<String> pullSecrets(Section spec) throws Misuse {
        var secrets = new ArrayList<String>();
        for (Section secret : spec.sections("imagePullSecrets")) secrets.add(secret.needed("name"));
        return secrets.isEmpty() ? null : secrets;
    }

    /** What the container says goes before what the pod says. */
    private String runAs(Section spec, Section container) throws Misuse {
        Long user = null;
        Long group = null;
        for (Section level : List.of(spec, container)) {
            Section context = level.section("securityContext");
            if (context == null) continue;
            mark(level, "securityContext", "container.runAs");
            Long ownUser = context.whole("runAsUser", ID_MAX);
            Long ownGroup = context.whole("runAsGroup", ID_MAX);
            if (ownUser != null) user = ownUser;
            if (ownGroup != null) group = ownGroup;
            if (user == null && group != null) {
                throw context.mistake("runAsGroup", "needs runAsUser");
            }
            context.tellRest(remarks);
        }
        if (user == null) return null;
        return group == null ? user.toString() : user + ":" + group;
    }
}
