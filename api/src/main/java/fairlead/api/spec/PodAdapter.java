package fairlead.api.spec;

import fairlead.api.json.BadBody;
import fairlead.api.json.StrictReader;

import io.avaje.json.JsonAdapter;
import io.avaje.json.JsonReader;
import io.avaje.json.JsonWriter;
import io.avaje.jsonb.AdapterFactory;
import io.avaje.jsonb.CustomAdapter;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A part of a pod, as Kubernetes has it: fields that nobody here knows. */
@CustomAdapter(global = false)
public final class PodAdapter implements JsonAdapter<Map<String, Object>> {
    /** The generated code finds the adapter of a generic type by this; it holds no state. */
    public static final AdapterFactory FACTORY =
            (type, _) -> type == PodAdapter.class ? new PodAdapter() : null;

    /** A real pod has ten or so. */
    private static final int DEPTH_MAX = 32;

    @Override
    public Map<String, Object> fromJson(JsonReader reader) {
        return reader.isNullValue() ? null : object(reader, 1);
    }

    /** What {@link #toJson} has written. */
    public static Map<String, Object> read(String text) {
        return object(new StrictReader(text), 1);
    }

    private static Map<String, Object> object(JsonReader reader, int depth) {
        var object = new LinkedHashMap<String, Object>();
        reader.beginObject();
        while (reader.hasNextField()) object.put(reader.nextField(), value(reader, depth));
        reader.endObject();
        return object;
    }

    private static Object value(JsonReader reader, int depth) {
        if (depth > DEPTH_MAX) throw BadBody.wrong("container.pod", "is nested too deep");
        return switch (reader.currentToken()) {
            case BEGIN_OBJECT -> object(reader, depth + 1);
            case BEGIN_ARRAY -> {
                var list = new ArrayList<Object>();
                reader.beginArray();
                while (reader.hasNextElement()) list.add(value(reader, depth + 1));
                reader.endArray();
                yield list;
            }
            case STRING -> reader.readString();
            case BOOLEAN -> reader.readBoolean();
            case NULL -> {
                reader.isNullValue();
                yield null;
            }
            case NUMBER -> number(reader.readDecimal());
        };
    }

    private static Number number(BigDecimal number) {
        boolean isWhole = number.stripTrailingZeros().scale() <= 0;
        if (isWhole && number.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0)
            return number.longValue();
        return number.doubleValue();
    }

    @Override
    public void toJson(JsonWriter writer, Map<String, Object> pod) {
        write(writer, pod);
    }

    private static void write(JsonWriter writer, Object value) {
        switch (value) {
            case null -> writer.nullValue();
            case Map<?, ?> object -> {
                writer.beginObject();
                object.forEach(
                        (name, each) -> {
                            writer.name((String) name);
                            write(writer, each);
                        });
                writer.endObject();
            }
            case List<?> list -> {
                writer.beginArray();
                list.forEach(each -> write(writer, each));
                writer.endArray();
            }
            case String text -> writer.value(text);
            case Boolean is -> writer.value(is);
            case Long number -> writer.value(number);
            case Double number -> writer.value(number);
            default -> throw new IllegalStateException("not of a pod: " + value.getClass());
        }
    }
}
