package fairlead.dialects.jobfile;

import fairlead.api.spec.SpecBody;
import fairlead.api.words.Suggestion;

import io.avaje.json.JsonReader;
import io.avaje.json.PropertyNames;

import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/**
 * The YAML of a job, shown as JSON: so the names and types of its fields are those of {@link
 * SpecBody}, and nothing here repeats them. Any scalar counts as what was written, a text or a
 * number. Every mistake names its line and field, and the lines of all fields are kept.
 */
final class YamlReader implements JsonReader {
    private static final String UNUSED = "no field of a job needs this";

    private final String file;
    private final Lines lines;
    private final List<Level> levels = new ArrayList<>();
    private Node value;

    /** The value whose kind was asked for: it may be more than a list. */
    private Node asked;

    /** Carries a mistake through the adapters of JSON, which know no checked exceptions. */
    static final class Mistake extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient BadJobFile usage;

        private Mistake(BadJobFile usage) {
            super(usage);
            this.usage = usage;
        }

        BadJobFile usage() {
            return usage;
        }
    }

    /** A mapping or a list that has been entered and not left. */
    private static final class Level {
        final String path;
        final boolean isRecord;
        final Iterator<NodeTuple> fields;
        final Iterator<Node> elements;
        final Set<String> names = new HashSet<>();
        Node key;
        String name;
        String at;
        int index = -1;

        Level(String path, boolean isRecord, Iterator<NodeTuple> fields, Iterator<Node> elements) {
            this.path = path;
            this.isRecord = isRecord;
            this.fields = fields;
            this.elements = elements;
        }

        boolean isList() {
            return elements != null;
        }
    }

    YamlReader(String file, Lines lines, Node value) {
        this.file = file;
        this.lines = lines;
        this.value = value;
    }

    static int line(Node node) {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }

    static BadJobFile mistake(String file, Node node, String where, String problem) {
        String field = where.isEmpty() ? "the job" : where;
        String separator = where.isEmpty() || problem.startsWith("has no field") ? " " : ": ";
        return new BadJobFile(file, OptionalInt.of(line(node)), field + separator + problem);
    }

    private Mistake wrong(Node node, String where, String problem) {
        return new Mistake(mistake(file, node, where, problem));
    }

    private Mistake wrong(String problem) {
        return wrong(value, location(), problem);
    }

    /** The path of the value that is being read. */
    @Override
    public String location() {
        return levels.isEmpty() ? "" : levels.getLast().at;
    }

    /** A record, all of whose names are known. */
    @Override
    public void beginObject(PropertyNames names) {
        enterMapping(true);
    }

    /** A map, whose names are the user's. */
    @Override
    public void beginObject() {
        enterMapping(false);
    }

    private void enterMapping(boolean isRecord) {
        lines.put(location(), line(value));
        if (!(value instanceof MappingNode mapping)) {
            throw wrong("must be fields with values, such as 'name: first'");
        }
        levels.add(new Level(location(), isRecord, mapping.getValue().iterator(), null));
    }

    @Override
    public void beginArray() {
        if (!(value instanceof SequenceNode sequence)) {
            throw wrong("must be " + (value == asked ? "a text or " : "") + "a list of texts");
        }
        levels.add(new Level(location(), false, null, sequence.getValue().iterator()));
    }

    @Override
    public boolean hasNextField() {
        return levels.getLast().fields.hasNext();
    }

    @Override
    public String nextField() {
        Level level = levels.getLast();
        NodeTuple field = level.fields.next();
        level.key = field.getKeyNode();
        if (!(level.key instanceof ScalarNode key)) {
            throw wrong(level.key, level.path, "has a key that is not a text");
        }
        level.name = key.getValue();
        level.at = level.path.isEmpty() ? level.name : level.path + "." + level.name;
        if (!level.names.add(level.name)) throw wrong(level.key, level.at, "is given twice");
        lines.put(level.at, line(level.key));
        value = field.getValueNode();
        return level.name;
    }

    @Override
    public boolean hasNextElement() {
        Level level = levels.getLast();
        if (!level.elements.hasNext()) return false;
        value = level.elements.next();
        level.at = level.path + "[" + ++level.index + "]";
        return true;
    }

    @Override
    public void endObject() {
        levels.removeLast();
    }

    @Override
    public void endArray() {
        levels.removeLast();
    }

    @Override
    public void unmappedField(String name) {
        Level level = levels.getLast();
        throw wrong(
                level.key,
                level.path,
                "has no field '" + name + "'." + Suggestion.of(name, known().keySet()));
    }

    /** The fields of the record that is being read. Slow, so only for a mistake. */
    private Map<String, Type> known() {
        Map<String, Type> fields = fields(SpecBody.class);
        Type type = SpecBody.class;
        for (Level level : levels.subList(0, levels.size() - 1)) {
            type =
                    level.isList()
                            ? ((ParameterizedType) type).getActualTypeArguments()[0]
                            : fields.get(level.name);
            if (type instanceof Class<?> record) fields = fields(record);
        }
        return fields;
    }

    private static Map<String, Type> fields(Class<?> record) {
        var fields = new LinkedHashMap<String, Type>();
        for (RecordComponent each : record.getRecordComponents()) {
            fields.put(each.getName(), each.getGenericType());
        }
        return fields;
    }

    /** In a list an empty element is a text as it was written. */
    @Override
    public boolean isNullValue() {
        if (levels.isEmpty() || levels.getLast().isList()) return false;
        if (!value.getTag().equals(Tag.NULL)) return false;
        if (!levels.getLast().isRecord) throw wrong("has no value");
        return true;
    }

    @Override
    public Token currentToken() {
        asked = value;
        if (value instanceof MappingNode) return Token.BEGIN_OBJECT;
        return value instanceof SequenceNode ? Token.BEGIN_ARRAY : Token.STRING;
    }

    @Override
    public String readString() {
        if (value instanceof ScalarNode scalar) return scalar.getValue();
        throw wrong("must be a text");
    }

    @Override
    public boolean readBoolean() {
        String text = value instanceof ScalarNode scalar ? scalar.getValue() : "";
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong("must be true or false");
        };
    }

    @Override
    public int readInt() {
        return number("a whole number", Integer::valueOf);
    }

    @Override
    public long readLong() {
        return number("a whole number", Long::valueOf);
    }

    @Override
    public BigDecimal readDecimal() {
        return number("a number", BigDecimal::new);
    }

    private <T> T number(String kind, Function<String, T> reader) {
        if (!(value instanceof ScalarNode scalar)) throw wrong("must be " + kind);
        try {
            return reader.apply(scalar.getValue());
        } catch (NumberFormatException _) {
            throw wrong("must be " + kind + ", but is '" + scalar.getValue() + "'");
        }
    }

    /** A value is a node of its own: the next field or element replaces it. */
    @Override
    public void skipValue() {}

    @Override
    public void close() {}

    @Override
    public double readDouble() {
        throw new UnsupportedOperationException(UNUSED);
    }

    @Override
    public BigInteger readBigInteger() {
        throw new UnsupportedOperationException(UNUSED);
    }

    @Override
    public byte[] readBinary() {
        throw new UnsupportedOperationException(UNUSED);
    }

    @Override
    public String readRaw() {
        throw new UnsupportedOperationException(UNUSED);
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        throw new UnsupportedOperationException(UNUSED);
    }
}
