package fairlead.journals.sqlite;

import static fairlead.wire.parts.Form.BOOLEAN;
import static fairlead.wire.parts.Form.INSTANT;
import static fairlead.wire.parts.Form.INT;
import static fairlead.wire.parts.Form.TEXT;

import fairlead.api.json.StrictReader;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Endpoints;
import fairlead.job.Exit;
import fairlead.job.JobId;
import fairlead.job.Outcome;
import fairlead.job.Placement;
import fairlead.job.StopReason;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Verdict;
import fairlead.wire.parts.Form;
import fairlead.wire.parts.Part;
import fairlead.wire.parts.Part.Fields;
import fairlead.wire.parts.Part.Found;
import fairlead.wire.parts.PlacementParts;

import io.avaje.json.JsonWriter;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The stored form of what states and events are made of. Older journals hold this JSON, so a field
 * may be added with a default, but never renamed; a test pins the exact text.
 */
final class PartsJson {
    /** Only what is known: most jobs have neither. */
    static final Part<Endpoints> ENDPOINTS = Part.of(PartsJson::endpoints);

    private static Function<Found, Endpoints> endpoints(Fields<Endpoints> fields) {
        var hosts = fields.unless(List.of(), "hosts", TEXT.list(), Endpoints::hosts);
        var ports = fields.unless(List.of(), "ports", INT.list(), Endpoints::ports);
        return found -> new Endpoints(hosts.in(found), ports.in(found));
    }

    /** An attempt without its job, which is that of the row. */
    private record Numbered(int number, List<TaskPlacement> tasks, Endpoints endpoints) {}

    private static final Part<Numbered> ATTEMPT = Part.of(PartsJson::attempt);

    private static Function<Found, Numbered> attempt(Fields<Numbered> fields) {
        var number = fields.field("number", INT, Numbered::number);
        var tasks = fields.field("tasks", PlacementParts.TASK.list(), Numbered::tasks);
        var endpoints = fields.inline(ENDPOINTS, Numbered::endpoints);
        return found -> new Numbered(number.in(found), tasks.in(found), endpoints.in(found));
    }

    private static final Part<Exit> EXIT = Part.of(PartsJson::exit);

    private static Function<Found, Exit> exit(Fields<Exit> fields) {
        var code = fields.optional("code", INT, exit -> Form.boxed(exit.code()));
        var stopped = fields.unless(false, "stopped", BOOLEAN, Exit::stopped);
        var outOfMemory = fields.unless(false, "outOfMemory", BOOLEAN, Exit::outOfMemory);
        var note = fields.unless("", "note", TEXT, Exit::note);
        var at = fields.field("at", INSTANT, Exit::at);
        return found ->
                new Exit(
                        Form.unboxed(code.in(found)),
                        stopped.in(found),
                        outOfMemory.in(found),
                        note.in(found),
                        at.in(found));
    }

    private static final Form<Map<TaskId, Exit>> EXITS =
            Form.map(
                    Part.of(
                            fields -> {
                                var task =
                                        fields.field(
                                                "task",
                                                PlacementParts.TASK_ID,
                                                Map.Entry<TaskId, Exit>::getKey);
                                var exit = fields.inline(EXIT, Map.Entry::getValue);
                                return found -> Map.entry(task.in(found), exit.in(found));
                            }));

    private static final Form<Outcome.Kind> OUTCOME_KIND = Form.word("outcome", Outcome.Kind.class);

    private static final Part<Outcome> OUTCOME = Part.of(PartsJson::outcome);

    private static Function<Found, Outcome> outcome(Fields<Outcome> fields) {
        var kind = fields.field("kind", OUTCOME_KIND, Outcome::kind);
        var exitCode = fields.field("exitCode", INT, Outcome::exitCode);
        var reason = fields.unless("", "reason", TEXT, Outcome::reason);
        return found -> new Outcome(kind.in(found), exitCode.in(found), reason.in(found));
    }

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

    static void put(JsonWriter json, String name, boolean value) {
        json.name(name);
        json.value(value);
    }

    static void put(JsonWriter json, String name, Instant value) {
        put(json, name, value.toString());
    }

    static Instant instant(StrictReader json) {
        return INSTANT.read(json);
    }

    static void put(JsonWriter json, Attempt attempt) {
        json.name("attempt");
        ATTEMPT.write(
                json,
                new Numbered(
                        attempt.id().number(), attempt.placement().tasks(), attempt.endpoints()));
    }

    static Attempt attempt(StrictReader json, JobId job) {
        Numbered read = ATTEMPT.read(json);
        return new Attempt(
                new AttemptId(job, read.number()), new Placement(read.tasks()), read.endpoints());
    }

    static void put(JsonWriter json, Map<TaskId, Exit> exits) {
        json.name("exits");
        EXITS.write(json, exits);
    }

    static Map<TaskId, Exit> exits(StrictReader json) {
        return EXITS.read(json);
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
                default -> throw Part.unknown(json);
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
        OUTCOME.write(json, outcome);
    }

    static Outcome outcome(StrictReader json) {
        return OUTCOME.read(json);
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
                default -> throw Part.unknown(json);
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
}
