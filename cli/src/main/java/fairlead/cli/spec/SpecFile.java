package fairlead.cli.spec;

import fairlead.api.ContainerBody;
import fairlead.api.OriginBody;
import fairlead.api.RetryBody;
import fairlead.api.RoleBody;
import fairlead.api.SpecBody;
import fairlead.api.TrainingBody;
import fairlead.cli.UsageException;
import fairlead.dialects.act.BoundedYaml;
import fairlead.dialects.openpai.Invalid;
import fairlead.dialects.openpai.JobFile;
import fairlead.dialects.openpai.PaiSpec;
import fairlead.dialects.pods.Misuse;
import fairlead.dialects.pods.PodFile;
import fairlead.dialects.pods.PodJob;
import fairlead.dialects.pods.Remark;

import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A job file: YAML or JSON, one document for each job, in the shape of a spec or of a pod. Roles
 * may also be written as a mapping from their names. Types and names of fields are checked here,
 * values by the server.
 */
public final class SpecFile {
    /** Ten thousand short jobs, or one with the longest command that a server takes. */
    public static final int BYTES_MAX = 16 * 1024 * 1024;

    /** As many as a server takes in one request. */
    private static final int JOBS_MAX = 10_000;

    private static final int BUFFER_CHARACTERS_LEAST = 1_024;
    private static final int BUFFERS_MAX = 8;

    private static final Set<String> SPEC =
            fields(
                    "name",
                    "command",
                    "gpus",
                    "gpu",
                    "gpuMemory",
                    "gpuType",
                    "cpus",
                    "memory",
                    "roles",
                    "env",
                    "time",
                    "retries",
                    "priority",
                    "interactive",
                    "project",
                    "cluster",
                    "workdir",
                    "user",
                    "image",
                    "mounts",
                    "ports",
                    "container",
                    "training",
                    "retry",
                    "origin",
                    "secrets");

    private static final Set<String> CONTAINER =
            fields(
                    "podName",
                    "shm",
                    "runAs",
                    "entrypoint",
                    "pullPolicy",
                    "pullSecrets",
                    "service",
                    "stdin",
                    "tty",
                    "hostIpc",
                    "hostNetwork");

    private static final Set<String> TRAINING =
            fields(
                    "epochs",
                    "batchSize",
                    "trainingSetSize",
                    "gpusMin",
                    "gpusMax",
                    "sharing",
                    "estimatedMemory",
                    "estimate",
                    "deadline");

    private static final Set<String> RETRY = fields("limit", "exits");

    private static final Set<String> ORIGIN = fields("dialect", "key", "text");

    private static final Set<String> ROLE =
            fields(
                    "name",
                    "count",
                    "command",
                    "gpus",
                    "gpu",
                    "gpuMemory",
                    "gpuType",
                    "cpus",
                    "memory",
                    "minFailed",
                    "minSucceeded",
                    "ports");

    private final String file;

    private SpecFile(String file) {
        this.file = file;
    }

    private static Set<String> fields(String... names) {
        return new LinkedHashSet<>(List.of(names));
    }

    /**
     * Reads the jobs of a text.
     *
     * @param file what messages call it
     */
    public static List<Draft> read(String file, String text) throws UsageException {
        return JobFile.isMeant(text)
                ? List.of(openPai(file, text))
                : new SpecFile(file).documents(text);
    }

    /** A job of OpenPAI, in whose key the user is yet to be put in. */
    public static Draft openPai(String file, String text) throws UsageException {
        try {
            JobFile job = JobFile.ofFile(text);
            var draft = new Draft(PaiSpec.of(job, ""), new Lines(file));
            draft.remarks.addAll(job.warnings());
            return draft;
        } catch (Invalid e) {
            String line = e.line().isPresent() ? ":" + e.line().getAsInt() : "";
            throw new UsageException(file + line + ": " + e.getMessage());
        }
    }

    private List<Draft> documents(String text) throws UsageException {
        // The library copies all of a text that it is still in the middle of with each buffer.
        int buffer = Math.max(BUFFER_CHARACTERS_LEAST, text.length() / BUFFERS_MAX);
        var settings =
                LoadSettings.builder()
                        .setLabel(file)
                        .setBufferSize(buffer)
                        .setCodePointLimit(BYTES_MAX)
                        .setAllowNonScalarKeys(true)
                        .build();
        var drafts = new ArrayList<Draft>();
        try {
            var nodes = BoundedYaml.composer(settings, text, JOBS_MAX);
            while (nodes.hasNext()) {
                Node node = nodes.next();
                drafts.add(PodFile.isIt(node) ? pod(node) : job(node));
            }
        } catch (BoundedYaml.TooMuch e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            throw new UsageException(file + ":" + line + ": " + e.getProblem());
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            throw new UsageException(file + ":" + line + ": not YAML: " + e.getProblem());
        } catch (ReaderException e) {
            int end = Math.min(e.getPosition(), text.length());
            long line = 1 + text.substring(0, end).chars().filter(c -> c == '\n').count();
            throw new UsageException(
                    "%s:%d: the character U+%04X is not allowed in a file"
                            .formatted(file, line, e.getCodePoint()));
        } catch (YamlEngineException e) {
            throw new UsageException(file + ": not YAML: " + e.getMessage());
        }
        if (drafts.isEmpty()) throw new UsageException(file + ": holds no job");
        return drafts;
    }

    private Draft pod(Node node) throws UsageException {
        try {
            PodJob pod = PodFile.read(node);
            var lines = new Lines(file);
            pod.lines().forEach(lines::put);
            var draft = new Draft(pod.spec(), lines);
            draft.isPod = true;
            draft.labelledUser = pod.user();
            for (Remark remark : pod.remarks()) {
                draft.remarks.add(file + ":" + remark.line() + ": " + remark.text());
            }
            return draft;
        } catch (Misuse e) {
            throw new UsageException(file + ":" + e.line() + ": " + e.getMessage());
        }
    }

    private Draft job(Node node) throws UsageException {
        var lines = new Lines(file);
        var fields = new Fields(file, lines, "", node, SPEC);
        var spec = new SpecBody.Edit();
        spec.name = fields.text("name");
        spec.cluster = fields.text("cluster");
        spec.project = fields.text("project");
        spec.priority = fields.integer("priority");
        spec.command = fields.command("command");
        spec.interactive = fields.flag("interactive");
        spec.gpus = fields.integer("gpus");
        spec.gpu = fields.text("gpu");
        spec.gpuMemory = fields.text("gpuMemory");
        spec.gpuType = fields.text("gpuType");
        spec.cpus = fields.integer("cpus");
        spec.memory = fields.text("memory");
        spec.env = fields.texts("env");
        spec.retries = fields.integer("retries");
        spec.time = fields.text("time");
        spec.workdir = fields.text("workdir");
        spec.user = fields.text("user");
        spec.image = fields.text("image");
        spec.mounts = fields.list("mounts");
        spec.ports = fields.list("ports");
        spec.container = container(fields.inner("container", CONTAINER));
        spec.training = training(fields.inner("training", TRAINING));
        spec.retry = retry(fields.inner("retry", RETRY));
        spec.origin = origin(fields.inner("origin", ORIGIN));
        Map<String, String> secrets = fields.texts("secrets");
        if (!secrets.isEmpty()) spec.secrets = secrets;
        Node roles = fields.node("roles");
        if (roles != null) spec.roles = roles(fields, lines, roles);
        return new Draft(spec.body(), lines);
    }

    private static ContainerBody container(Fields fields) throws UsageException {
        if (fields == null) return null;
        var container = new ContainerBody.Edit();
        container.podName = fields.text("podName");
        container.shm = fields.text("shm");
        container.runAs = fields.text("runAs");
        container.entrypoint = fields.flag("entrypoint");
        container.pullPolicy = fields.text("pullPolicy");
        container.pullSecrets = fields.list("pullSecrets");
        container.service = fields.text("service");
        container.stdin = fields.flag("stdin");
        container.tty = fields.flag("tty");
        container.hostIpc = fields.flag("hostIpc");
        container.hostNetwork = fields.flag("hostNetwork");
        return container.body();
    }

    private static TrainingBody training(Fields fields) throws UsageException {
        if (fields == null) return null;
        var training = new TrainingBody.Edit();
        training.epochs = fields.integer("epochs");
        training.batchSize = fields.integer("batchSize");
        training.trainingSetSize = fields.longInteger("trainingSetSize");
        training.gpusMin = fields.integer("gpusMin");
        training.gpusMax = fields.integer("gpusMax");
        training.sharing = fields.flag("sharing");
        training.estimatedMemory = fields.text("estimatedMemory");
        training.estimate = fields.text("estimate");
        training.deadline = fields.text("deadline");
        return training.body();
    }

    private static RetryBody retry(Fields fields) throws UsageException {
        return fields == null
                ? null
                : new RetryBody(fields.integer("limit"), fields.texts("exits"));
    }

    private static OriginBody origin(Fields fields) throws UsageException {
        return fields == null
                ? null
                : new OriginBody(fields.text("dialect"), fields.text("text"), fields.text("key"));
    }

    private List<RoleBody> roles(Fields job, Lines lines, Node node) throws UsageException {
        var roles = new ArrayList<RoleBody>();
        switch (node) {
            case SequenceNode sequence -> {
                for (Node role : sequence.getValue()) {
                    roles.add(role(lines, "roles[" + roles.size() + "]", null, role));
                }
            }
            case MappingNode mapping -> {
                var named = new Fields(file, lines, "roles", mapping, null);
                for (String name : named.keys()) {
                    Node role = named.node(name);
                    if (role == null) throw job.mistake(mapping, "roles." + name, "is empty");
                    roles.add(role(lines, "roles[" + roles.size() + "]", name, role));
                }
            }
            default -> throw job.mistake(node, "roles", "must be a list, or roles by their names");
        }
        return roles;
    }

    private RoleBody role(Lines lines, String path, String name, Node node) throws UsageException {
        var fields = new Fields(file, lines, path, node, ROLE);
        String written = fields.text("name");
        if (name != null && written != null && !written.equals(name)) {
            throw fields.mistake(
                    node,
                    path + ".name",
                    "is '" + written + "', but the role is called '" + name + "'");
        }
        var role = new RoleBody.Edit();
        role.name = name == null ? written : name;
        role.count = fields.integer("count");
        role.command = fields.command("command");
        role.gpus = fields.integer("gpus");
        role.gpu = fields.text("gpu");
        role.gpuMemory = fields.text("gpuMemory");
        role.gpuType = fields.text("gpuType");
        role.cpus = fields.integer("cpus");
        role.memory = fields.text("memory");
        role.minFailed = fields.integer("minFailed");
        role.minSucceeded = fields.integer("minSucceeded");
        role.ports = fields.list("ports");
        return role.body();
    }
}
