package fairlead.wire.parts;

import fairlead.api.json.StrictReader;

import io.avaje.json.JsonWriter;
import io.avaje.json.stream.JsonStream;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The form of a record as a JSON object. Each field is named once, for writing and for reading:
 *
 * <pre>{@code
 * Part<Share> SHARE = Part.of(fields -> {
 *     var gpu = fields.field("gpu", INT, Share::gpu);
 *     var units = fields.field("units", LONG, Share::units);
 *     return found -> new Share(gpu.in(found), units.in(found));
 * });
 * }</pre>
 *
 * Fields are written in the order in which they are named, and read in any. Journals and snapshots
 * hold this JSON, so a field may be added with a default, but never renamed.
 */
public final class Part<T> implements Form<T> {
    private static final JsonStream STREAM = JsonStream.builder().build();

    private final Map<String, Field<T, ?>> fields = new LinkedHashMap<>();
    private final Function<Found, T> make;

    private Part(Function<Fields<T>, Function<Found, T>> describe) {
        make = describe.apply(new Fields<>(fields));
    }

    public static <T> Part<T> of(Function<Fields<T>, Function<Found, T>> describe) {
        return new Part<>(describe);
    }

    /**
     * One of several kinds, which the word in {@code kind} tells apart.
     *
     * @param what is said to be unknown when the word is
     * @param word of each kind; a switch, so that the compiler asks for that of a new one
     */
    @SafeVarargs
    public static <T> Part<T> oneOf(
            String what, Function<T, String> word, Kind<? extends T>... kinds) {
        return of(
                fields -> {
                    Value<String> found = fields.field("kind", TEXT, word);
                    var makes = new HashMap<String, Function<Found, ? extends T>>();
                    for (Kind<? extends T> kind : kinds) {
                        fields.add(kind);
                        makes.put(kind.word, kind.part.make);
                    }
                    return values -> {
                        Function<Found, ? extends T> make = makes.get(found.in(values));
                        if (make == null)
                            throw values.json.wrong(
                                    "is an unknown " + what + ": " + found.in(values));
                        return make.apply(values);
                    };
                });
    }

    /** One of several, whose fields are in the same object as the word for it. */
    public record Kind<K>(String word, Class<K> type, Part<K> part) {}

    public static <K> Kind<K> kind(
            String word, Class<K> type, Function<Fields<K>, Function<Found, K>> describe) {
        return new Kind<>(word, type, of(describe));
    }

    /**
     * @param value empty where it is left out
     */
    private record Field<T, V>(Form<V> form, Function<T, Optional<V>> value) {
        void write(JsonWriter json, String name, T owner) {
            value.apply(owner)
                    .ifPresent(
                            each -> {
                                json.name(name);
                                form.write(json, each);
                            });
        }

        <S> Field<S, V> within(Function<S, T> owner) {
            return new Field<>(form, outer -> value.apply(owner.apply(outer)));
        }

        /** For those of that type alone. */
        <S> Field<S, V> of(Class<? extends T> type) {
            return new Field<>(
                    form,
                    owner ->
                            type.isInstance(owner)
                                    ? value.apply(type.cast(owner))
                                    : Optional.empty());
        }

        /** Kinds may have fields of the same name, and then of the same form. */
        Field<T, V> or(Field<T, ?> other) {
            @SuppressWarnings("unchecked") // It is written by its own form.
            var same = (Field<T, V>) other;
            return new Field<>(form, owner -> value.apply(owner).or(() -> same.value.apply(owner)));
        }
    }

    /** The values of one object that has been read, by their names. */
    public static final class Found {
        private final StrictReader json;
        private final Map<String, Object> values = new HashMap<>();

        private Found(StrictReader json) {
            this.json = json;
        }

        RuntimeException lacks(String name) {
            return json.wrong("has no " + name);
        }
    }

    /** A field's value among those that were read. */
    @FunctionalInterface
    public interface Value<V> {
        V in(Found found);
    }

    /** Takes the names of a part's fields, with what they are read and written by. */
    public static final class Fields<T> {
        private final Map<String, Field<T, ?>> all;

        private Fields(Map<String, Field<T, ?>> all) {
            this.all = all;
        }

        /** One that every text has. */
        public <V> Value<V> field(String name, Form<V> form, Function<T, V> value) {
            Value<Optional<V>> found =
                    optional(name, form, owner -> Optional.of(value.apply(owner)));
            return values -> found.in(values).orElseThrow(() -> values.lacks(name));
        }

        /** One that is always written, and may be missing in older texts. */
        public <V> Value<V> field(String name, Form<V> form, Function<T, V> value, V missing) {
            Value<Optional<V>> found =
                    optional(name, form, owner -> Optional.of(value.apply(owner)));
            return values -> found.in(values).orElse(missing);
        }

        /** One that is written only where it is not the usual value. */
        public <V> Value<V> unless(V usual, String name, Form<V> form, Function<T, V> value) {
            Value<Optional<V>> found =
                    optional(
                            name,
                            form,
                            owner ->
                                    Optional.of(value.apply(owner))
                                            .filter(each -> !each.equals(usual)));
            return values -> found.in(values).orElse(usual);
        }

        public <V> Value<Optional<V>> optional(
                String name, Form<V> form, Function<T, Optional<V>> value) {
            all.put(name, new Field<>(form, value));
            return found -> {
                @SuppressWarnings("unchecked") // The form of this name has read it.
                V each = (V) found.values.get(name);
                return Optional.ofNullable(each);
            };
        }

        private <K extends T> void add(Kind<K> kind) {
            kind.part.fields.forEach(
                    (name, field) -> {
                        Field<T, ?> own = field.of(kind.type);
                        Field<T, ?> old = all.get(name);
                        all.put(name, old == null ? own : old.or(own));
                    });
        }

        /** The fields of another part, in the same object. */
        public <V> Value<V> inline(Part<V> part, Function<T, V> value) {
            part.fields.forEach((name, field) -> all.put(name, field.within(value)));
            return part.make::apply;
        }
    }

    @Override
    public void write(JsonWriter json, T value) {
        json.beginObject();
        put(json, value);
        json.endObject();
    }

    /** The fields alone, into an object that is being written. */
    public void put(JsonWriter json, T value) {
        fields.forEach((name, field) -> field.write(json, name, value));
    }

    @Override
    public T read(StrictReader json) {
        var found = new Found(json);
        json.beginObject();
        while (json.hasNextField()) {
            String name = json.nextField();
            Field<T, ?> field = fields.get(name);
            if (field == null) throw unknown(json);
            found.values.put(name, field.form.read(json));
        }
        json.endObject();
        return make.apply(found);
    }

    public String text(T value) {
        return text(json -> write(json, value));
    }

    /** Refuses more text behind the object. */
    public T read(String text) {
        var json = new StrictReader(text);
        T value = read(json);
        json.expectEnd();
        return value;
    }

    /** Into a stream, for the same reason as in {@link fairlead.wire.Json#writeBytes}. */
    public static String text(Consumer<JsonWriter> body) {
        var out = new ByteArrayOutputStream();
        try (var json = STREAM.writer(out)) {
            body.accept(json);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    public static RuntimeException unknown(StrictReader json) {
        return json.wrong("is not a known field");
    }
}
