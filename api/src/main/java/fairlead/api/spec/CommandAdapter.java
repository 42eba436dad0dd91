package fairlead.api.spec;

import io.avaje.json.JsonAdapter;
import io.avaje.json.JsonReader;
import io.avaje.json.JsonWriter;
import io.avaje.jsonb.AdapterFactory;
import io.avaje.jsonb.CustomAdapter;

import java.util.ArrayList;
import java.util.List;

/** A command in JSON: a list of arguments, or a single text that means {@code sh -c TEXT}. */
@CustomAdapter(global = false)
public final class CommandAdapter implements JsonAdapter<List<String>> {
    /** The generated code finds the adapter of a generic type by this; it holds no state. */
    public static final AdapterFactory FACTORY =
            (type, _) -> type == CommandAdapter.class ? new CommandAdapter() : null;

    private static final List<String> SHELL = List.of("sh", "-c");

    @Override
    public List<String> fromJson(JsonReader reader) {
        if (reader.isNullValue()) return null;
        if (reader.currentToken() == JsonReader.Token.STRING) return shell(reader.readString());
        var command = new ArrayList<String>();
        reader.beginArray();
        while (reader.hasNextElement()) command.add(reader.readString());
        reader.endArray();
        return command;
    }

    @Override
    public void toJson(JsonWriter writer, List<String> command) {
        if (command == null) {
            writer.nullValue();
        } else if (isShell(command)) {
            writer.value(command.getLast());
        } else {
            writer.beginArray();
            command.forEach(writer::value);
            writer.endArray();
        }
    }

    /** Whether this is what a single text stands for. */
    public static boolean isShell(List<String> command) {
        return command.size() == 3 && command.subList(0, 2).equals(SHELL);
    }

    /** What a single text stands for. */
    public static List<String> shell(String text) {
        return List.of("sh", "-c", text);
    }
}
