package fairlead.server.openpai;

import io.avaje.jsonb.Jsonb;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** JSON as OpenPAI writes it: what is not known yet is null, never missing. */
final class PaiJson {
    private static final Jsonb JSONB = Jsonb.builder().serializeNulls(true).build();

    private PaiJson() {}

    /** Into a stream, for the reason that {@link fairlead.wire.Json} has. */
    static byte[] bytes(Object value) {
        var out = new ByteArrayOutputStream();
        JSONB.toJson(value, out);
        return out.toByteArray();
    }

    static String text(Object value) {
        return new String(bytes(value), StandardCharsets.UTF_8);
    }
}
