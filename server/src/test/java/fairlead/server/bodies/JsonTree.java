package fairlead.server.bodies;

import fairlead.api.json.StrictReader;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Any JSON as maps, lists, texts, numbers and booleans, for tests that look into it. */
public final class JsonTree {
    private JsonTree() {}

    public static Object read(String text) {
        var reader = new StrictReader(text);
        Object value = value(reader);
        reader.expectEnd();
        return value;
    }

    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    private static Object value(StrictReader reader) {
        return switch (reader.currentToken()) {
            case BEGIN_OBJECT -> {
                Map<String, Object> object = new LinkedHashMap<>();
                reader.beginObject();
                while (reader.hasNextField()) object.put(reader.nextField(), value(reader));
                reader.endObject();
                yield object;
            }
            case BEGIN_ARRAY -> {
                List<Object> list = new ArrayList<>();
                reader.beginArray();
                while (reader.hasNextElement()) list.add(value(reader));
                reader.endArray();
                yield list;
            }
            case STRING -> reader.readString();
            case BOOLEAN -> reader.readBoolean();
            case NULL -> {
                reader.isNullValue();
                yield null;
            }
            case NUMBER -> reader.readDecimal();
        };
    }
}
