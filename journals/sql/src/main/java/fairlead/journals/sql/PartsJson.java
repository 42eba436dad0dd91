package fairlead.journals.sql;

import fairlead.job.Attempt;
import fairlead.job.Exit;
import fairlead.job.TaskId;
import fairlead.job.Verdict;
import fairlead.wire.parts.Form;
import fairlead.wire.parts.Part;
import fairlead.wire.parts.StateFacts.Numbered;
import fairlead.wire.parts.StateParts;

import io.avaje.json.JsonWriter;

import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;

/** Writes what events are made of. */
final class PartsJson {
    private PartsJson() {}

    static String text(Consumer<JsonWriter> body) {
        return Part.text(
                json -> {
                    json.beginObject();
                    body.accept(json);
                    json.endObject();
                });
    }

    static void put(JsonWriter json, String name, String value) {
        json.name(name);
        json.value(value);
    }

    static void put(JsonWriter json, String name, int value) {
        json.name(name);
        json.value(value);
    }

    static void put(JsonWriter json, String name, long value) {
        json.name(name);
        json.value(value);
    }

    static void put(JsonWriter json, String name, double value) {
        json.name(name);
        json.value(value);
    }

    static void put(JsonWriter json, String name, Instant value) {
        put(json, name, value.toString());
    }

    static void put(JsonWriter json, Attempt attempt) {
        put(json, "attempt", StateParts.ATTEMPT, Numbered.of(attempt));
    }

    static void put(JsonWriter json, Map<TaskId, Exit> exits) {
        put(json, "exits", StateParts.EXITS, exits);
    }

    static void put(JsonWriter json, Verdict verdict) {
        put(json, "verdict", StateParts.VERDICT, verdict);
    }

    private static <V> void put(JsonWriter json, String name, Form<V> form, V value) {
        json.name(name);
        form.write(json, value);
    }
}
