package fairlead.cli.spec;

import fairlead.cli.Suggestion;
import fairlead.cli.UsageException;
import fairlead.cli.Words;

import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** One mapping of a job file, read field by field; every mistake names its line and field. */
final class Fields {
    private final String file;
    private final Lines lines;
    private final String path;
    private final Map<String, Node> values = new LinkedHashMap<>();

    Fields(String file, Lines lines, String path, Node node, Set<String> known)
            throws UsageException {
        this.file = file;
        this.lines = lines;
        this.path = path;
        lines.put(path, line(node));
        if (!(node instanceof MappingNode mapping)) {
            throw mistake(node, path, "must be fields with values, such as 'name: first'");
        }
        for (NodeTuple tuple : mapping.getValue()) {
            String key = key(tuple.getKeyNode());
            if (known != null && !known.contains(key)) {
                throw mistake(
                        tuple.getKeyNode(),
                        path,
                        "has no field '" + key + "'." + Suggestion.of(key, known));
            }
            if (values.put(key, tuple.getValueNode()) != null) {
                throw mistake(tuple.getKeyNode(), at(key), "stands twice");
            }
            lines.put(at(key), line(tuple.getKeyNode()));
        }
    }

    private String key(Node node) throws UsageException {
        if (node instanceof ScalarNode scalar) return scalar.getValue();
        throw mistake(node, path, "has a key that is not a text");
    }

    Set<String> keys() {
        return values.keySet();
    }

    /** The node, or null where there is none or it is empty. */
    Node node(String key) {
        Node node = values.get(key);
        return node == null || node.getTag().equals(Tag.NULL) ? null : node;
    }

    /** Any scalar counts as the text that was written. */
    String text(String key) throws UsageException {
        Node node = node(key);
        return node == null ? null : text(node, at(key));
    }

    private String text(Node node, String where) throws UsageException {
        if (node instanceof ScalarNode scalar) return scalar.getValue();
        throw mistake(node, where, "must be a text");
    }

    Integer integer(String key) throws UsageException {
        return number(key, Integer::valueOf);
    }

    Long longInteger(String key) throws UsageException {
        return number(key, Long::valueOf);
    }

    private <T> T number(String key, Function<String, T> reader) throws UsageException {
        Node node = node(key);
        if (node == null) return null;
        if (node instanceof ScalarNode scalar) {
            try {
                return reader.apply(scalar.getValue());
            } catch (NumberFormatException _) {
                throw mistake(
                        node,
                        at(key),
                        "must be a whole number, but is '" + scalar.getValue() + "'");
            }
        }
        throw mistake(node, at(key), "must be a whole number");
    }

    Boolean flag(String key) throws UsageException {
        Node node = node(key);
        if (node == null) return null;
        String text = node instanceof ScalarNode scalar ? scalar.getValue() : "";
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw mistake(node, at(key), "must be true or false");
        };
    }

    /** A list is executed as it is, a single text by a shell. */
    List<String> command(String key) throws UsageException {
        Node node = node(key);
        if (node == null) return null;
        if (node instanceof ScalarNode scalar) {
            if (scalar.getValue().isBlank()) throw mistake(node, at(key), "is empty");
            return List.of(Words.SHELL.get(0), Words.SHELL.get(1), scalar.getValue());
        }
        if (!(node instanceof SequenceNode sequence)) {
            throw mistake(node, at(key), "must be a text or a list of texts");
        }
        List<String> command = list(sequence, key);
        if (command.isEmpty()) throw mistake(node, at(key), "is empty");
        return command;
    }

    List<String> list(String key) throws UsageException {
        Node node = node(key);
        if (node == null) return null;
        if (node instanceof SequenceNode sequence) return list(sequence, key);
        throw mistake(node, at(key), "must be a list of texts");
    }

    private List<String> list(SequenceNode sequence, String key) throws UsageException {
        var list = new ArrayList<String>();
        for (Node element : sequence.getValue()) {
            list.add(text(element, at(key) + "[" + list.size() + "]"));
        }
        return list;
    }

    /** The mapping that is this field's value, or null where there is none. */
    Fields inner(String key, Set<String> known) throws UsageException {
        Node node = node(key);
        return node == null ? null : new Fields(file, lines, at(key), node, known);
    }

    Map<String, String> texts(String key) throws UsageException {
        Node node = node(key);
        var texts = new LinkedHashMap<String, String>();
        if (node == null) return texts;
        var fields = new Fields(file, lines, at(key), node, null);
        for (String name : fields.keys()) {
            String text = fields.text(name);
            if (text == null) {
                throw mistake(fields.values.get(name), at(key) + "." + name, "has no value");
            }
            texts.put(name, text);
        }
        return texts;
    }

    String at(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    static int line(Node node) {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }

    UsageException mistake(Node node, String where, String problem) {
        String field = where.isEmpty() ? "the job" : where;
        String separator = where.isEmpty() || problem.startsWith("has no field") ? " " : ": ";
        return new UsageException(file + ":" + line(node) + ": " + field + separator + problem);
    }
}
