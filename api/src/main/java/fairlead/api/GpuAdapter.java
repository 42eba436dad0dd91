package fairlead.api;

import io.avaje.json.JsonAdapter;
import io.avaje.json.JsonReader;
import io.avaje.json.JsonWriter;
import io.avaje.jsonb.CustomAdapter;

/** A number of GPUs in JSON: a number such as 2 or 0.5, or the same as a text. */
@CustomAdapter(global = false)
public final class GpuAdapter implements JsonAdapter<String> {
    @Override
    public String fromJson(JsonReader reader) {
        if (reader.isNullValue()) return null;
        return reader.currentToken() == JsonReader.Token.STRING
                ? reader.readString()
                : reader.readDecimal().toPlainString();
    }

    @Override
    public void toJson(JsonWriter writer, String gpu) {
        if (gpu == null) writer.nullValue();
        else writer.value(gpu);
    }
}
