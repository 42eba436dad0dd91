package fairlead.wire.parts;

import fairlead.api.json.StrictReader;

import io.avaje.json.JsonWriter;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** How a value is written as JSON and read again. What is wrong with a text is said by its path. */
public interface Form<V> {
    Form<String> TEXT = of((json, value) -> json.value(value), StrictReader::readString);
    Form<Integer> INT = of((json, value) -> json.value((int) value), StrictReader::readInt);
    Form<Long> LONG = of((json, value) -> json.value((long) value), StrictReader::readLong);
    Form<Double> DOUBLE = of((json, value) -> json.value((double) value), StrictReader::readDouble);
    Form<Boolean> BOOLEAN =
            of((json, value) -> json.value((boolean) value), StrictReader::readBoolean);
    Form<Instant> INSTANT = text(Instant::parse);
    Form<Duration> DURATION = text(Duration::parse);

    void write(JsonWriter json, V value);

    V read(StrictReader json);

    static <V> Form<V> of(BiConsumer<JsonWriter, V> write, Function<StrictReader, V> read) {
        return new Form<>() {
            @Override
            public void write(JsonWriter json, V value) {
                write.accept(json, value);
            }

            @Override
            public V read(StrictReader json) {
                return read.apply(json);
            }
        };
    }

    /** For what {@code toString} writes so that it can be parsed. */
    static <V> Form<V> text(Function<String, V> parse) {
        return of(
                (json, value) -> json.value(value.toString()),
                json -> parse.apply(json.readString()));
    }

    /** The constants of an enum, in small letters. */
    static <V extends Enum<V>> Form<V> word(String what, Class<V> type) {
        var words = new HashMap<String, V>();
        for (V value : type.getEnumConstants()) words.put(word(value), value);
        return of(
                (json, value) -> json.value(word(value)),
                json -> {
                    String word = json.readString();
                    if (words.containsKey(word)) return words.get(word);
                    throw json.wrong("is an unknown " + what + ": " + word);
                });
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    default Form<List<V>> list() {
        return of(
                (json, values) -> {
                    json.beginArray();
                    for (V value : values) write(json, value);
                    json.endArray();
                },
                json -> {
                    var values = new ArrayList<V>();
                    json.beginArray();
                    while (json.hasNextElement()) values.add(read(json));
                    json.endArray();
                    return values;
                });
    }

    /** A list of entries, sorted, because a map may be in any order and a text should not be. */
    static <K, V> Form<Map<K, V>> map(Form<Map.Entry<K, V>> entry) {
        Form<List<Map.Entry<K, V>>> list = entry.list();
        return of(
                (json, map) -> list.write(json, List.copyOf(new TreeMap<>(map).entrySet())),
                json -> {
                    var map = new TreeMap<K, V>();
                    list.read(json).forEach(each -> map.put(each.getKey(), each.getValue()));
                    return map;
                });
    }

    /** An {@link OptionalInt} as the fields of a {@link Part} have it. */
    static Optional<Integer> boxed(OptionalInt number) {
        return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
    }

    static OptionalInt unboxed(Optional<Integer> number) {
        return number.map(OptionalInt::of).orElseGet(OptionalInt::empty);
    }
}
