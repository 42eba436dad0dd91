package fairlead.dialects.jobfile;

import fairlead.api.spec.CommandAdapter;
import fairlead.api.spec.SpecBody;
import fairlead.dialects.openpai.Invalid;
import fairlead.dialects.openpai.JobFile;
import fairlead.dialects.openpai.PaiSpec;
import fairlead.dialects.pods.Misuse;
import fairlead.dialects.pods.PodFile;
import fairlead.dialects.pods.PodJob;
import fairlead.dialects.pods.Remark;
import fairlead.dialects.yaml.BoundedYaml;

import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * A job file: YAML or JSON, one document for each job, in the shape of a spec or of a pod. Roles
 * may also be written as a mapping from their names. Types and names of fields are checked here,
 * values by the server.
 */
public final class JobFileReader {
    /** Ten thousand short jobs, or one with the longest command that a server takes. */
    public static final int BYTES_MAX = 16 * 1024 * 1024;

    /** As many as a server takes in one request. */
    private static final int JOBS_MAX = 10_000;

    private static final int BUFFER_CHARACTERS_LEAST = 1_024;
    private static final int BUFFERS_MAX = 8;

    private static final Pattern OPENPAI_V2 = Pattern.compile("(?m)^protocolVersion\\s*:");

    private final String file;

    private JobFileReader(String file) {
        this.file = file;
    }

    /**
     * Reads the jobs of a text.
     *
     * @param file what messages call it
     */
    public static List<FileJob> read(String file, String text) throws BadJobFile {
        if (OPENPAI_V2.matcher(text).find())
            throw new BadJobFile(
                    file,
                    OptionalInt.empty(),
                    "this is a job file of OpenPAI's version 2 (protocolVersion), which"
                            + " is not read; its JSON files of version 1 are, and docs/spec.md says"
                            + " how to write the same job here");
        return JobFile.isMeant(text)
                ? List.of(openPai(file, text))
                : new JobFileReader(file).documents(text);
    }

    /** A job of OpenPAI, in whose key the user is yet to be put in. */
    public static FileJob openPai(String file, String text) throws BadJobFile {
        try {
            JobFile job = JobFile.ofFile(text);
            return new FileJob(
                    PaiSpec.of(job, ""),
                    new Lines(file),
                    List.copyOf(job.warnings()),
                    FileJob.Kind.OPENPAI,
                    Optional.empty());
        } catch (Invalid e) {
            throw new BadJobFile(file, e.line(), e.getMessage());
        }
    }

    private List<FileJob> documents(String text) throws BadJobFile {
        // The library copies all of a text that it is still in the middle of with each buffer.
        int buffer = Math.max(BUFFER_CHARACTERS_LEAST, text.length() / BUFFERS_MAX);
        var settings =
                LoadSettings.builder()
                        .setLabel(file)
                        .setBufferSize(buffer)
                        .setCodePointLimit(BYTES_MAX)
                        .setAllowNonScalarKeys(true)
                        .build();
        var jobs = new ArrayList<FileJob>();
        try {
            var nodes = BoundedYaml.composer(settings, text, JOBS_MAX);
            while (nodes.hasNext()) {
                Node node = nodes.next();
                jobs.add(PodFile.isIt(node) ? pod(node) : job(node));
            }
        } catch (YamlEngineException e) {
            var trouble = BoundedYaml.Trouble.of(e, text);
            throw new BadJobFile(file, OptionalInt.of(trouble.line()), trouble.words());
        }
        if (jobs.isEmpty()) throw new BadJobFile(file, OptionalInt.empty(), "holds no job");
        return jobs;
    }

    private FileJob pod(Node node) throws BadJobFile {
        try {
            PodJob pod = PodFile.read(node);
            var lines = new Lines(file);
            pod.lines().forEach(lines::put);
            var remarks = new ArrayList<String>();
            for (Remark remark : pod.remarks())
                remarks.add(file + ":" + remark.line() + ": " + remark.text());
            return new FileJob(
                    pod.spec(), lines, remarks, FileJob.Kind.POD, Optional.ofNullable(pod.user()));
        } catch (Misuse e) {
            throw new BadJobFile(file, OptionalInt.of(e.line()), e.getMessage());
        }
    }

    private FileJob job(Node node) throws BadJobFile {
        var lines = new Lines(file);
        if (node instanceof MappingNode job) listRoles(job);
        SpecBody spec;
        try {
            spec = SpecBody.read(new YamlReader(file, lines, node));
        } catch (YamlReader.Mistake e) {
            throw e.usage();
        }
        refuseEmpty(spec.command(), "command", lines);
        for (int i = 0; spec.roles() != null && i < spec.roles().size(); i++) {
            refuseEmpty(spec.roles().get(i).command(), "roles[" + i + "].command", lines);
        }
        return new FileJob(spec, lines, List.of(), FileJob.Kind.OURS, Optional.empty());
    }

    /** A shell would take it for success, and its author would wonder. */
    private void refuseEmpty(List<String> command, String path, Lines lines) throws BadJobFile {
        if (command == null) return;
        boolean isBlank = CommandAdapter.isShell(command) && command.getLast().isBlank();
        if (command.isEmpty() || isBlank) {
            throw new BadJobFile(file, lines.line(path), path + ": is empty");
        }
    }

    /** Makes roles by their names a list of roles that say their names. */
    private void listRoles(MappingNode job) throws BadJobFile {
        List<NodeTuple> fields = job.getValue();
        for (int i = 0; i < fields.size(); i++) {
            Node key = fields.get(i).getKeyNode();
            Node roles = fields.get(i).getValueNode();
            if (!isCalled(key, "roles") || roles.getTag().equals(Tag.NULL)) continue;
            if (roles instanceof SequenceNode) continue;
            if (!(roles instanceof MappingNode named)) {
                throw mistake(roles, "roles", "must be a list, or roles by their names");
            }
            fields.set(i, new NodeTuple(key, listed(named)));
        }
    }

    private Node listed(MappingNode named) throws BadJobFile {
        var names = new HashSet<String>();
        var roles = new ArrayList<Node>();
        for (NodeTuple each : named.getValue()) {
            if (!(each.getKeyNode() instanceof ScalarNode name)) {
                throw mistake(each.getKeyNode(), "roles", "has a key that is not a text");
            }
            String path = "roles." + name.getValue();
            if (!names.add(name.getValue())) throw mistake(name, path, "is given twice");
            Node role = each.getValueNode();
            if (role.getTag().equals(Tag.NULL)) throw mistake(name, path, "is empty");
            // The reader says what is wrong with any other node.
            boolean isRole = role instanceof MappingNode;
            roles.add(isRole ? role(name, (MappingNode) role, roles.size()) : role);
        }
        return new SequenceNode(
                Tag.SEQ,
                true,
                roles,
                named.getFlowStyle(),
                named.getStartMark(),
                named.getEndMark());
    }

    /** The role with its name: a copy, because an alias may stand for the same node elsewhere. */
    private Node role(ScalarNode name, MappingNode role, int index) throws BadJobFile {
        String path = "roles[" + index + "].name";
        var fields = new ArrayList<NodeTuple>();
        boolean saysName = false;
        for (NodeTuple field : role.getValue()) {
            boolean isName = isCalled(field.getKeyNode(), "name");
            Node said = field.getValueNode();
            if (isName && said.getTag().equals(Tag.NULL)) continue;
            fields.add(field);
            if (!isName) continue;
            saysName = true;
            if (said instanceof ScalarNode other && !isCalled(other, name.getValue())) {
                String problem = "is '%s', but the role is called '%s'";
                throw mistake(role, path, problem.formatted(other.getValue(), name.getValue()));
            }
        }
        if (!saysName) fields.add(new NodeTuple(nameKey(name), name));
        return new MappingNode(
                Tag.MAP, true, fields, role.getFlowStyle(), role.getStartMark(), role.getEndMark());
    }

    /** It stands where the name does. */
    private static Node nameKey(ScalarNode name) {
        return new ScalarNode(
                Tag.STR, true, "name", ScalarStyle.PLAIN, name.getStartMark(), name.getEndMark());
    }

    private static boolean isCalled(Node node, String text) {
        return node instanceof ScalarNode scalar && scalar.getValue().equals(text);
    }

    private BadJobFile mistake(Node node, String where, String problem) {
        return YamlReader.mistake(file, node, where, problem);
    }
}
