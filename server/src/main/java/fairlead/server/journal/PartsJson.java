package fairlead.server.journal;

import fairlead.api.StrictReader;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Endpoints;
import fairlead.job.Exit;
import fairlead.job.JobId;
import fairlead.job.Outcome;
import fairlead.job.Placement;
import fairlead.job.Share;
import fairlead.job.StopReason;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Verdict;

import io.avaje.json.JsonWriter;
import io.avaje.json.stream.JsonStream;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The stored form of what states and events are made of. Older journals hold this JSON, so a field
 * may be added with a default, but never renamed; a test pins the exact text.
 */
final class PartsJson {
    private static final JsonStream STREAM = JsonStream.builder().build();

    private PartsJson() {}

    /** Into a stream, for the same reason as in {@link fairlead.server.wire.Json#writeBytes}. */
    static String text(Consumer<JsonWriter> body) {
        var out = new ByteArrayOutputStream();
        try (var writer = STREAM.writer(out)) {
            writer.beginObject();
            body.accept(writer);
            writer.endObject();
        }
        return out.toString(StandardCharsets.UTF_8);
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

    static void put(JsonWriter json, String name, boolean value) {
        json.name(name);
        json.value(value);
    }

    static void put(JsonWriter json, String name, Instant value) {
        put(json, name, value.toString());
    }

    static Instant instant(StrictReader json) {
        return Instant.parse(json.readString());
    }

    static void put(JsonWriter json, Attempt attempt) {
        json.name("attempt");
        json.beginObject();
        put(json, "number", attempt.id().number());
        json.name("tasks");
        json.beginArray();
        for (TaskPlacement task : attempt.placement().tasks()) {
            json.beginObject();
            put(json, "task", task.task().toString());
            put(json, "node", task.node());
            json.name("gpus");
            json.beginArray();
            for (Share share : task.shares()) if (share.isWhole()) json.value(share.gpu());
            json.endArray();
            putParts(json, task);
            json.endObject();
        }
        json.endArray();
        put(json, attempt.endpoints());
        json.endObject();
    }

    /** Only what is known: most jobs have neither. */
    static void put(JsonWriter json, Endpoints told) {
        if (!told.hosts().isEmpty()) {
            json.name("hosts");
            json.beginArray();
            for (String host : told.hosts()) json.value(host);
            json.endArray();
        }
        if (told.ports().isEmpty()) return;
        json.name("ports");
        json.beginArray();
        for (int port : told.ports()) json.value(port);
        json.endArray();
    }

    static List<String> hosts(StrictReader json) {
        var hosts = new ArrayList<String>();
        json.beginArray();
        while (json.hasNextElement()) hosts.add(json.readString());
        json.endArray();
        return hosts;
    }

    static List<Integer> ports(StrictReader json) {
        var ports = new ArrayList<Integer>();
        json.beginArray();
        while (json.hasNextElement()) ports.add(json.readInt());
        json.endArray();
        return ports;
    }

    /** Only where there are any: most tasks have GPUs alone. */
    private static void putParts(JsonWriter json, TaskPlacement task) {
        if (task.shares().stream().allMatch(Share::isWhole)) return;
        json.name("shares");
        json.beginArray();
        for (Share share : task.shares()) {
            if (share.isWhole()) continue;
            json.beginObject();
            put(json, "gpu", share.gpu());
            put(json, "units", share.units());
            json.endObject();
        }
        json.endArray();
    }

    /** The job is not repeated in the JSON: it is that of the row. */
    static Attempt attempt(StrictReader json, JobId job) {
        int number = 0;
        var tasks = new ArrayList<TaskPlacement>();
        List<String> hosts = List.of();
        List<Integer> ports = List.of();
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "number" -> number = json.readInt();
                case "tasks" -> {
                    json.beginArray();
                    while (json.hasNextElement()) tasks.add(task(json));
                    json.endArray();
                }
                case "hosts" -> hosts = hosts(json);
                case "ports" -> ports = ports(json);
                default -> throw unknown(json);
            }
        }
        json.endObject();
        return new Attempt(
                new AttemptId(job, number), new Placement(tasks), new Endpoints(hosts, ports));
    }

    private static TaskPlacement task(StrictReader json) {
        TaskId task = null;
        String node = null;
        List<Share> shares = new ArrayList<>();
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "task" -> task = TaskId.parse(json.readString());
                case "node" -> node = json.readString();
                case "gpus" -> {
                    json.beginArray();
                    while (json.hasNextElement()) shares.add(Share.whole(json.readInt()));
                    json.endArray();
                }
                case "shares" -> {
                    json.beginArray();
                    while (json.hasNextElement()) shares.add(share(json));
                    json.endArray();
                }
                default -> throw unknown(json);
            }
        }
        json.endObject();
        return new TaskPlacement(task, node, shares);
    }

    private static Share share(StrictReader json) {
        int gpu = 0;
        long units = 0;
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "gpu" -> gpu = json.readInt();
                case "units" -> units = json.readLong();
                default -> throw unknown(json);
            }
        }
        json.endObject();
        return new Share(gpu, units);
    }

    static void put(JsonWriter json, Map<TaskId, Exit> exits) {
        json.name("exits");
        json.beginArray();
        // Sorted, because a fact's map may be in any order and the text should not be.
        new TreeMap<>(exits)
                .forEach(
                        (task, exit) -> {
                            json.beginObject();
                            put(json, "task", task.toString());
                            exit.code().ifPresent(code -> put(json, "code", code));
                            if (exit.stopped()) {
                                put(json, "stopped", true);
                            }
                            if (exit.outOfMemory()) put(json, "outOfMemory", true);
                            if (!exit.note().isEmpty()) put(json, "note", exit.note());
                            put(json, "at", exit.at());
                            json.endObject();
                        });
        json.endArray();
    }

    static Map<TaskId, Exit> exits(StrictReader json) {
        var exits = new TreeMap<TaskId, Exit>();
        json.beginArray();
        while (json.hasNextElement()) {
            TaskId task = null;
            OptionalInt code = OptionalInt.empty();
            boolean stopped = false;
            boolean outOfMemory = false;
            String note = "";
            Instant at = null;
            json.beginObject();
            while (json.hasNextField()) {
                switch (json.nextField()) {
                    case "task" -> task = TaskId.parse(json.readString());
                    case "code" -> code = OptionalInt.of(json.readInt());
                    case "stopped" -> stopped = json.readBoolean();
                    case "outOfMemory" -> outOfMemory = json.readBoolean();
                    case "note" -> note = json.readString();
                    case "at" -> at = instant(json);
                    default -> throw unknown(json);
                }
            }
            json.endObject();
            exits.put(task, new Exit(code, stopped, outOfMemory, note, at));
        }
        json.endArray();
        return exits;
    }

    static void put(JsonWriter json, Verdict verdict) {
        json.name("verdict");
        json.beginObject();
        switch (verdict) {
            case Verdict.Succeeded _ -> put(json, "kind", "succeeded");
            case Verdict.Failed(int exitCode, String reason) -> {
                put(json, "kind", "failed");
                put(json, "exitCode", exitCode);
                put(json, "reason", reason);
            }
            case Verdict.Lost(String reason) -> {
                put(json, "kind", "lost");
                put(json, "reason", reason);
            }
        }
        json.endObject();
    }

    static Verdict verdict(StrictReader json) {
        String kind = "";
        int exitCode = 0;
        String reason = "";
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "kind" -> kind = json.readString();
                case "exitCode" -> exitCode = json.readInt();
                case "reason" -> reason = json.readString();
                default -> throw unknown(json);
            }
        }
        json.endObject();
        return switch (kind) {
            case "succeeded" -> new Verdict.Succeeded();
            case "failed" -> new Verdict.Failed(exitCode, reason);
            case "lost" -> new Verdict.Lost(reason);
            default -> throw json.wrong("is an unknown verdict: " + kind);
        };
    }

    static void put(JsonWriter json, Outcome outcome) {
        json.name("outcome");
        json.beginObject();
        String kind =
                switch (outcome.kind()) {
                    case SUCCEEDED -> "succeeded";
                    case FAILED -> "failed";
                    case CANCELLED -> "cancelled";
                };
        put(json, "kind", kind);
        put(json, "exitCode", outcome.exitCode());
        if (!outcome.reason().isEmpty()) put(json, "reason", outcome.reason());
        json.endObject();
    }

    static Outcome outcome(StrictReader json) {
        Outcome.Kind kind = null;
        int exitCode = 0;
        String reason = "";
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "kind" -> kind = outcomeKind(json);
                case "exitCode" -> exitCode = json.readInt();
                case "reason" -> reason = json.readString();
                default -> throw unknown(json);
            }
        }
        json.endObject();
        return new Outcome(kind, exitCode, reason);
    }

    private static Outcome.Kind outcomeKind(StrictReader json) {
        String kind = json.readString();
        return switch (kind) {
            case "succeeded" -> Outcome.Kind.SUCCEEDED;
            case "failed" -> Outcome.Kind.FAILED;
            case "cancelled" -> Outcome.Kind.CANCELLED;
            default -> throw json.wrong("is an unknown outcome: " + kind);
        };
    }

    static void put(JsonWriter json, StopReason reason) {
        json.name("reason");
        json.beginObject();
        switch (reason) {
            case StopReason.Cancelled(String by) -> {
                put(json, "kind", "cancelled");
                put(json, "by", by);
            }
            case StopReason.Preempted(JobId beneficiary, String why, boolean atCheckpoint) -> {
                put(json, "kind", "preempted");
                put(json, "beneficiary", beneficiary.text());
                put(json, "why", why);
                if (atCheckpoint) put(json, "atCheckpoint", true);
            }
            case StopReason.Decided(Verdict verdict) -> {
                put(json, "kind", "decided");
                put(json, verdict);
            }
            case StopReason.TimeLimit _ -> put(json, "kind", "time-limit");
        }
        json.endObject();
    }

    static StopReason stopReason(StrictReader json) {
        String kind = "";
        String by = null;
        JobId beneficiary = null;
        String why = null;
        boolean atCheckpoint = false;
        Verdict verdict = null;
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "kind" -> kind = json.readString();
                case "atCheckpoint" -> atCheckpoint = json.readBoolean();
                case "by" -> by = json.readString();
                case "beneficiary" -> beneficiary = new JobId(json.readString());
                case "why" -> why = json.readString();
                case "verdict" -> verdict = verdict(json);
                default -> throw unknown(json);
            }
        }
        json.endObject();
        return switch (kind) {
            case "cancelled" -> new StopReason.Cancelled(by);
            case "preempted" -> new StopReason.Preempted(beneficiary, why, atCheckpoint);
            case "decided" -> new StopReason.Decided(verdict);
            case "time-limit" -> new StopReason.TimeLimit();
            default -> throw json.wrong("is an unknown reason to stop: " + kind);
        };
    }

    static RuntimeException unknown(StrictReader json) {
        return json.wrong("is not a known field");
    }
}
