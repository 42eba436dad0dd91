package fairlead.dialects.yaml;

import fairlead.api.words.Suggestion;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * One block of a config file, read key by key. What is wrong is reported to the reading and then
 * counts as not said.
 */
public final class Section {
    /** As Python's YAML reads them: a file may say {@code True} or {@code yes}. */
    private static final Set<String> YES = Set.of("true", "yes", "on");

    private static final Set<String> NO = Set.of("false", "no", "off");

    private final Reading reading;
    private final String path;
    private final Value.Block block;

    /**
     * @param path the keys that lead to it, for messages; empty for the file itself
     */
    public Section(Reading reading, String path, Value.Block block) {
        this.reading = reading;
        this.path = path;
        this.block = block;
    }

    public Set<String> keys() {
        return block.fields().keySet();
    }

    /** Where the key stands, or the block where it does not. */
    public Spot spot(String key) {
        Value value = block.fields().get(key);
        return value == null ? block.spot() : value.spot();
    }

    public void mistake(String key, String problem) {
        reading.mistake(spot(key), at(key) + " " + problem);
    }

    public void warn(String key, String remark) {
        reading.warn(spot(key), at(key) + " " + remark);
    }

    private String at(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** Whether it is said, and not as null. */
    public boolean has(String key) {
        return value(key).isPresent();
    }

    public Optional<Value> value(String key) {
        Value value = block.fields().get(key);
        boolean isNull = value instanceof Value.Scalar scalar && scalar.isNull();
        return isNull ? Optional.empty() : Optional.ofNullable(value);
    }

    public Optional<String> text(String key) {
        Value value = value(key).orElse(null);
        if (value == null) return Optional.empty();
        if (!(value instanceof Value.Scalar scalar)) {
            mistake(key, "must be a text");
            return Optional.empty();
        }
        if (scalar.text().indexOf('\0') < 0) return Optional.of(scalar.text());
        mistake(key, "contains a NUL character");
        return Optional.empty();
    }

    /** A text that must be there and say something. */
    public Optional<String> needed(String key) {
        if (value(key).isEmpty()) {
            mistake(key, "is missing");
            return Optional.empty();
        }
        Optional<String> text = text(key);
        if (text.isPresent() && text.get().isBlank()) {
            mistake(key, "is empty");
            return Optional.empty();
        }
        return text;
    }

    public boolean flag(String key, boolean otherwise) {
        Optional<String> text = text(key);
        if (text.isEmpty()) return otherwise;
        String word = text.get().toLowerCase(Locale.ROOT);
        if (YES.contains(word)) return true;
        if (NO.contains(word)) return false;
        mistake(key, "must be true or false, but is '" + text.get() + "'");
        return otherwise;
    }

    public OptionalInt whole(String key, int least, int most) {
        Optional<String> text = text(key);
        if (text.isEmpty()) return OptionalInt.empty();
        if (text.get().matches("\\d{1,9}")) {
            int number = Integer.parseInt(text.get());
            if (number >= least && number <= most) return OptionalInt.of(number);
        }
        mistake(
                key,
                "must be a whole number from "
                        + least
                        + " to "
                        + most
                        + ", but is '"
                        + text.get()
                        + "'");
        return OptionalInt.empty();
    }

    /** One of these words. */
    public Optional<String> choice(String key, List<String> words) {
        Optional<String> text = text(key);
        if (text.isEmpty() || words.contains(text.get())) return text;
        mistake(
                key,
                "must be one of " + String.join(", ", words) + ", but is '" + text.get() + "'");
        return Optional.empty();
    }

    public Optional<Section> section(String key) {
        Value value = value(key).orElse(null);
        if (value == null) return Optional.empty();
        if (value instanceof Value.Block inner) {
            return Optional.of(new Section(reading, at(key), inner));
        }
        mistake(key, "must be keys with values");
        return Optional.empty();
    }

    public Optional<List<String>> texts(String key) {
        Value value = value(key).orElse(null);
        if (value == null) return Optional.empty();
        if (!(value instanceof Value.Sequence sequence)) {
            mistake(key, "must be a list");
            return Optional.empty();
        }
        var texts = new ArrayList<String>();
        for (Value element : sequence.elements()) {
            if (element instanceof Value.Scalar scalar) {
                texts.add(scalar.text());
            } else {
                reading.mistake(element.spot(), at(key) + " must be a list of texts");
            }
        }
        return Optional.of(texts);
    }

    public List<Section> sections(String key) {
        Value value = value(key).orElse(null);
        var sections = new ArrayList<Section>();
        if (value == null) return sections;
        if (!(value instanceof Value.Sequence sequence)) {
            mistake(key, "must be a list");
            return sections;
        }
        for (Value element : sequence.elements()) {
            String name = at(key) + "[" + sections.size() + "]";
            if (element instanceof Value.Block inner) {
                sections.add(new Section(reading, name, inner));
            } else {
                reading.mistake(element.spot(), name + " must be keys with values");
            }
        }
        return sections;
    }

    /** The values of a block, each as the text that was written. */
    public Map<String, String> pairs(String key) {
        var pairs = new LinkedHashMap<String, String>();
        Section inner = section(key).orElse(null);
        if (inner == null) return pairs;
        for (String name : inner.keys()) {
            if (!inner.has(name)) inner.mistake(name, "has no value");
            inner.text(name).ifPresent(text -> pairs.put(name, text));
        }
        return pairs;
    }

    /** Keys of nobody are kept by many people, so they are only told. */
    public void warnUnknown(Collection<String> known) {
        for (String key : keys()) {
            if (!known.contains(key)) warn(key, "is ignored." + Suggestion.of(key, known));
        }
    }
}
