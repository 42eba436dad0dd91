package fairlead.server.routes;

import fairlead.api.QueueBody;

import io.avaje.json.JsonWriter;
import io.avaje.json.stream.JsonStream;

import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The queue as the CVLab page's {@code /api/state} has it: a list, each field always there. */
final class PodStates {
    private static final JsonStream STREAM = JsonStream.builder().serializeNulls(true).build();

    private PodStates() {}

    /**
     * What the GPUs of one job do, in percent and on the average.
     *
     * @param memory null where nobody can say, as is compute
     */
    record Used(Double memory, Double compute, Instant at) {}

    /**
     * @param uses by the name of a job; of those that hold GPUs that somebody can look at
     */
    static byte[] json(List<QueueBody> queue, Map<String, Used> uses) {
        var out = new ByteArrayOutputStream();
        try (JsonWriter json = STREAM.writer(out)) {
            json.beginArray();
            for (QueueBody each : queue) {
                json.beginObject();
                text(json, "name", each.name());
                text(json, "user", each.owner());
                text(json, "status", status(each));
                text(json, "date_created", each.created());
                text(json, "date_started", each.started());
                number(json, "num_gpu", each.gpus());
                number(json, "user_priority", each.priority());
                number(json, "user_ordinal", each.ordinal());
                number(json, "global_ordinal", each.globalOrdinal());
                Used used = uses.get(each.name());
                percent(json, "utilization_mem", used == null ? null : used.memory());
                percent(json, "utilization_compute", used == null ? null : used.compute());
                text(json, "utilization_date", used == null ? null : used.at().toString());
                json.endObject();
            }
            json.endArray();
        }
        return out.toByteArray();
    }

    /** In the words of pods, as those who read this expect them. */
    private static String status(QueueBody each) {
        if (each.guest()) return each.status();
        return switch (each.status()) {
            case "running" -> "Running";
            case "stopping" -> "Terminating";
            default -> "Pending";
        };
    }

    private static void percent(JsonWriter json, String name, Double value) {
        if (value == null) text(json, name, null);
        else number(json, name, Math.rint(value));
    }

    private static void text(JsonWriter json, String name, String value) {
        json.name(name);
        if (value == null) json.nullValue();
        else json.value(value);
    }

    /** Whole numbers without a decimal point. */
    private static void number(JsonWriter json, String name, double value) {
        json.name(name);
        if (value == Math.rint(value)) json.value((long) value);
        else json.value(value);
    }
}
