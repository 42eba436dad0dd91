package fairlead.api.spec;

import io.avaje.json.JsonAdapter;
import io.avaje.json.JsonReader;
import io.avaje.json.JsonWriter;
import io.avaje.jsonb.CustomAdapter;

import java.math.BigDecimal;

/** A number of GPUs in JSON: a number such as 2 or 0.5, or the same as a text. */
@CustomAdapter(global = false)
public final class GpuAdapter implements JsonAdapter<String> {
    private static final int DIGITS_MAX = 100;

    @Override
    public String fromJson(JsonReader reader) {
        if (reader.isNullValue()) return null;
        return reader.currentToken() == JsonReader.Token.STRING
                ? reader.readString()
                : text(reader.readDecimal());
    }

    /** Written out, a number with a huge exponent would fill the memory. */
    private static String text(BigDecimal number) {
        boolean isShort = Math.abs((long) number.scale()) <= DIGITS_MAX;
        return isShort ? number.toPlainString() : number.toString();
    }

    @Override
    public void toJson(JsonWriter writer, String gpu) {
        if (gpu == null) writer.nullValue();
        else writer.value(gpu);
    }
}
