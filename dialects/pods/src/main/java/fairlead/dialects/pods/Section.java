package fairlead.dialects.pods;

import fairlead.api.words.Suggestion;

import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One mapping of a pod file, which knows what was read of it: the rest is reported as ignored, so
 * that no line of the file is dropped in silence.
 */
final class Section {
    private final String path;
    private final int line;
    private final Map<String, Node> values = new LinkedHashMap<>();
    private final Map<String, Integer> lines = new LinkedHashMap<>();
    private final Set<String> read = new LinkedHashSet<>();

    Section(String path, Node node) throws Misuse {
        this.path = path;
        this.line = line(node);
        if (!(node instanceof MappingNode mapping)) {
            throw new Misuse(line, named(path) + " must be fields with values");
        }
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw new Misuse(
                        line(tuple.getKeyNode()), named(path) + " has a key that is no text");
            }
            if (values.put(key.getValue(), tuple.getValueNode()) != null) {
                throw new Misuse(line(key), at(key.getValue()) + " is given twice");
            }
            lines.put(key.getValue(), line(key));
        }
    }

    private static String named(String path) {
        return path.isEmpty() ? "the pod" : path;
    }

    static int line(Node node) {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }

    /** Of the field, or of the section where there is none. */
    int line(String key) {
        return lines.getOrDefault(key, line);
    }

    boolean has(String key) {
        return node(key) != null;
    }

    String at(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    Misuse mistake(String key, String problem) {
        return new Misuse(line(key), at(key) + " " + problem);
    }

    private Node node(String key) {
        Node node = values.get(key);
        return node == null || node.getTag().equals(Tag.NULL) ? null : node;
    }

    /** Any scalar counts as the text that was written. */
    String text(String key) throws Misuse {
        read.add(key);
        Node node = node(key);
        if (node == null) return null;
        if (node instanceof ScalarNode scalar) return scalar.getValue();
        throw mistake(key, "must be a text");
    }

    /** Refuses a field that was probably meant to be a missing one. */
    void refuseNear(String missing) throws Misuse {
        for (String key : values.keySet()) {
            String near = read.contains(key) ? "" : Suggestion.of(key, List.of(missing));
            if (!near.isEmpty()) throw mistake(key, "is not known." + near);
        }
    }

    String needed(String key) throws Misuse {
        String text = text(key);
        if (text == null) refuseNear(key);
        if (text == null || text.isEmpty()) throw mistake(key, "is missing");
        return text;
    }

    Boolean flag(String key) throws Misuse {
        String text = text(key);
        if (text == null || text.equals("false")) return null;
        if (text.equals("true")) return true;
        throw mistake(key, "must be true or false, but is '" + text + "'");
    }

    /** Null where it is not said. */
    Long whole(String key, long most) throws Misuse {
        String text = text(key);
        if (text == null) return null;
        if (text.matches("\\d{1,18}") && Long.parseLong(text) <= most) return Long.valueOf(text);
        throw mistake(key, "must be a whole number from 0 to " + most + ", but is '" + text + "'");
    }

    /** Null where it is not said. */
    List<String> texts(String key) throws Misuse {
        read.add(key);
        Node node = node(key);
        if (node == null) return null;
        if (!(node instanceof SequenceNode sequence)) {
            throw mistake(key, "must be a list of texts");
        }
        var texts = new ArrayList<String>();
        for (Node element : sequence.getValue()) {
            if (!(element instanceof ScalarNode scalar)) {
                throw new Misuse(line(element), at(key) + " must be a list of texts");
            }
            texts.add(scalar.getValue());
        }
        return texts;
    }

    /** Null where it is not said. */
    Section section(String key) throws Misuse {
        read.add(key);
        Node node = node(key);
        return node == null ? null : new Section(at(key), node);
    }

    /** Empty where it is not said. */
    List<Section> sections(String key) throws Misuse {
        read.add(key);
        Node node = node(key);
        var sections = new ArrayList<Section>();
        if (node == null) return sections;
        if (!(node instanceof SequenceNode sequence)) throw mistake(key, "must be a list");
        for (Node element : sequence.getValue()) {
            sections.add(new Section(at(key) + "[" + sections.size() + "]", element));
        }
        return sections;
    }

    /** It needs no word: it says nothing about the job. */
    void pass(String... keys) {
        read.addAll(List.of(keys));
    }

    Set<String> keys() {
        return values.keySet();
    }

    /** What nobody has asked for is ignored, with a warning. */
    void tellRest(List<Remark> remarks) {
        for (String key : values.keySet()) {
            if (!read.contains(key)) remarks.add(new Remark(line(key), at(key) + " is ignored"));
        }
    }
}
