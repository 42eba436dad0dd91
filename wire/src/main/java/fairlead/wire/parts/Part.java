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
    }

    /** The values of one object that has been read, by their names. */
    public static final class Found {
        private final StrictReader json;
        private final Map<String, Object> values = new HashMap<>();

        private Found(StrictReader json) {
            this.json = json;
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
            return values ->
                    found.in(values).orElseThrow(() -> values.json.wrong("has no " + name));
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
