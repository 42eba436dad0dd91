package fairlead.api.json;

import fairlead.api.jsonb.GeneratedJsonComponent;

import io.avaje.jsonb.JsonType;
import io.avaje.jsonb.Jsonb;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Between records and JSON. Fields that are not known are passed over, so a newer server may speak.
 */
public final class Wire {
    /** Names the records' adapters, so that it also works where the library finds no services. */
    private static final Jsonb JSON = Jsonb.builder().add(new GeneratedJsonComponent()).build();

    private Wire() {}

    public static <T> JsonType<T> type(Class<T> type) {
        return JSON.type(type);
    }

    public static <T> byte[] json(T value, Class<T> type) {
        // Into a stream: the library's own buffer fails on a text of a thousand control characters.
        var out = new ByteArrayOutputStream();
        JSON.type(type).toJson(value, out);
        return out.toByteArray();
    }

    public static <T> T read(byte[] json, JsonType<T> type) throws IOException {
        return read(new String(json, StandardCharsets.UTF_8), type);
    }

    public static <T> T read(String json, JsonType<T> type) throws IOException {
        try {
            var reader = StrictReader.ofAnswer(json);
            T value = type.fromJson(reader);
            reader.expectEnd();
            return value;
        } catch (BadBody e) {
            throw new IOException("not understood: " + e.getMessage(), e);
        }
    }
}
