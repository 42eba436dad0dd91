package fairlead.wire;

import fairlead.api.json.BadBody;
import fairlead.api.json.StrictReader;

import io.avaje.jsonb.Jsonb;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The records of the api module as JSON. Reading refuses unknown fields; nulls are not written. */
public final class Json {
    private static final Jsonb JSONB = Jsonb.builder().build();

    private Json() {}

    /** Throws {@link BadBody} for everything that a client can do wrong. */
    public static <T> T read(Class<T> type, byte[] body) {
        try {
            // A fresh decoder reports bad bytes; the constructor of String would replace them.
            var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
            return read(type, text.toString());
        } catch (CharacterCodingException e) {
            throw BadBody.malformed("the body is not UTF-8");
        }
    }

    public static <T> T read(Class<T> type, String text) {
        var reader = new StrictReader(text);
        T value = JSONB.adapter(type).fromJson(reader);
        reader.expectEnd();
        if (value == null) throw BadBody.wrong("", "is null");
        return value;
    }

    public static String write(Object value) {
        return new String(writeBytes(value), StandardCharsets.UTF_8);
    }

    /**
     * Into a stream, never into the library's own buffer: version 3.11 grows that one by too little
     * for a text of a thousand control characters, and fails.
     */
    public static byte[] writeBytes(Object value) {
        var out = new ByteArrayOutputStream();
        JSONB.toJson(value, out);
        return out.toByteArray();
    }
}
