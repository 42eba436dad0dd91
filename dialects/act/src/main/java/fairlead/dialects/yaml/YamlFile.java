package fairlead.dialects.yaml;

import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A config file as one block of values, laid over the file that its {@code _base_} names. */
public final class YamlFile {
    /** A thousand times what people write by hand. */
    public static final int BYTES_MAX = 1024 * 1024;

    /** Files lie on each other at most so deep; people use one level. */
    private static final int BASES_MAX = 10;

    /** The deepest thing that is read has four levels. */
    private static final int DEPTH_MAX = 20;

    /** An alias of YAML repeats a value; so many values cannot be meant. */
    private static final int VALUES_MAX = 20_000;

    private static final String BASE = "_base_";
    private static final String MERGE = "<<";

    /** Some editors begin a file with it. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");

    private final Reading reading;
    private final Path shown;
    private int values;

    private YamlFile(Reading reading, Path file) {
        this.reading = reading;
        this.shown = reading.shown(file);
    }

    /**
     * Empty where it cannot be read, which the reading then knows.
     *
     * @param named where its name stands, for a file that is not there
     */
    public static Optional<Value.Block> read(Reading reading, Path file, Spot named) {
        return read(reading, file, named, List.of());
    }

    private static Optional<Value.Block> read(
            Reading reading, Path file, Spot named, List<Path> above) {
        Optional<String> text = text(reading, file, named);
        if (text.isEmpty()) return Optional.empty();
        Optional<Value.Block> own = new YamlFile(reading, file).block(text.get());
        if (own.isEmpty()) return own;
        Value base = own.get().fields().get(BASE);
        if (base == null || base instanceof Value.Scalar empty && empty.isNull()) return own;
        if (!(base instanceof Value.Scalar name)) {
            reading.mistake(base.spot(), "_base_ must be the name of one file");
            return Optional.empty();
        }
        var files = new ArrayList<>(above);
        files.add(real(file));
        Path below;
        try {
            below = file.resolveSibling(name.text()).normalize();
        } catch (InvalidPathException _) {
            reading.mistake(base.spot(), "_base_ is no path");
            return Optional.empty();
        }
        if (files.contains(real(below))) {
            reading.mistake(base.spot(), "_base_ leads back to " + reading.shown(below));
            return Optional.empty();
        }
        if (files.size() > BASES_MAX) {
            reading.mistake(base.spot(), "more than " + BASES_MAX + " files lie on each other");
            return Optional.empty();
        }
        reading.bases().add(real(below));
        return read(reading, below, base.spot(), files).map(under -> under.under(own.get()));
    }

    public static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException _) {
            return file.toAbsolutePath().normalize();
        }
    }

    /** The whole of a file that is not too long. */
    public static Optional<String> text(Reading reading, Path file, Spot named) {
        Path shown = reading.shown(file);
        try {
            if (!Files.exists(file)) {
                reading.mistake(named, "there is no file " + shown);
            } else if (!Files.isRegularFile(file)) {
                reading.mistake(named, shown + " is no file");
            } else {
                return content(reading, file, shown);
            }
        } catch (CharacterCodingException _) {
            reading.mistake(new Spot(shown, 1), "is not text in UTF-8");
        } catch (AccessDeniedException _) {
            reading.mistake(named, "you may not read " + shown);
        } catch (IOException e) {
            reading.mistake(named, shown + " cannot be read: " + e.getMessage());
        }
        return Optional.empty();
    }

    private static Optional<String> content(Reading reading, Path file, Path shown)
            throws IOException {
        try (var in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(BYTES_MAX + 1);
            if (bytes.length > BYTES_MAX) {
                reading.mistake(
                        new Spot(shown, 1),
                        "is longer than the limit of " + (BYTES_MAX >> 10) + " KiB");
                return Optional.empty();
            }
            var decoder = StandardCharsets.UTF_8.newDecoder();
            String text = decoder.decode(ByteBuffer.wrap(bytes)).toString();
            boolean isMarked = text.startsWith(BYTE_ORDER_MARK);
            return Optional.of(isMarked ? text.substring(1) : text);
        }
    }

    private Optional<Value.Block> block(String text) {
        var settings =
                LoadSettings.builder()
                        .setLabel(shown.toString())
                        .setAllowNonScalarKeys(true)
                        .build();
        try {
            Optional<Node> node = BoundedYaml.composer(settings, text, 1).getSingleNode();
            if (node.isEmpty()) return Optional.of(new Value.Block(new Spot(shown, 1), Map.of()));
            Value value = value(node.get(), spot(node.get()), 0);
            if (value instanceof Value.Block block) return Optional.of(block);
            reading.mistake(value.spot(), "must be keys with values, such as 'gpu_per_node: 4'");
        } catch (YamlEngineException e) {
            var trouble = BoundedYaml.Trouble.of(e, text);
            reading.mistake(new Spot(shown, trouble.line()), trouble.words());
        } catch (Unreadable e) {
            reading.mistake(e.spot, e.getMessage());
        }
        return Optional.empty();
    }

    private Spot spot(Node node) {
        return new Spot(shown, node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1));
    }

    private Value value(Node node, Spot spot, int depth) throws Unreadable {
        if (depth > DEPTH_MAX) throw new Unreadable(spot, "is nested too deep");
        if (++values > VALUES_MAX) throw new Unreadable(spot, "repeats too many values");
        return switch (node) {
            case ScalarNode scalar -> scalar(scalar, spot);
            case SequenceNode sequence -> {
                var elements = new ArrayList<Value>();
                for (Node element : sequence.getValue()) {
                    elements.add(value(element, spot(element), depth + 1));
                }
                yield new Value.Sequence(spot, List.copyOf(elements));
            }
            case MappingNode mapping -> block(mapping, spot, depth);
            default -> throw new Unreadable(spot, "cannot be read");
        };
    }

    private Value.Block block(MappingNode mapping, Spot spot, int depth) throws Unreadable {
        var fields = new LinkedHashMap<String, Value>();
        var merged = new ArrayList<Value>();
        for (NodeTuple tuple : mapping.getValue()) {
            Spot at = spot(tuple.getKeyNode());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw new Unreadable(at, "a key must be a text");
            }
            Value field = value(tuple.getValueNode(), at, depth + 1);
            if (key.getValue().equals(MERGE)) {
                merged.add(field);
            } else if (fields.put(key.getValue(), field) != null) {
                throw new Unreadable(at, key.getValue() + " is given twice");
            }
        }
        for (Value below : merged) merge(below, fields);
        return new Value.Block(spot, fields);
    }

    /** As Python's YAML, which knows this key although YAML no longer does: own keys win. */
    private static void merge(Value below, Map<String, Value> fields) throws Unreadable {
        switch (below) {
            case Value.Block block -> block.fields().forEach(fields::putIfAbsent);
            case Value.Sequence sequence -> {
                for (Value each : sequence.elements()) {
                    if (each instanceof Value.Sequence) {
                        throw new Unreadable(each.spot(), "<< must name blocks");
                    }
                    merge(each, fields);
                }
            }
            case Value.Scalar scalar -> throw new Unreadable(scalar.spot(), "<< must name a block");
        }
    }

    private static Value.Scalar scalar(ScalarNode node, Spot spot) {
        boolean isPlain = node.getScalarStyle() == ScalarStyle.PLAIN;
        return new Value.Scalar(spot, node.getValue(), isPlain && NULLS.contains(node.getValue()));
    }

    /** What no key can be blamed for. */
    private static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1;
        private final transient Spot spot;

        Unreadable(Spot spot, String message) {
            super(message);
            this.spot = spot;
        }
    }
}
