package fairlead.journals.sql;

import static fairlead.journals.sql.PartsJson.put;
import static fairlead.wire.parts.Form.INSTANT;
import static fairlead.wire.parts.Form.INT;
import static fairlead.wire.parts.Form.TEXT;

import fairlead.api.json.StrictReader;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Endpoints;
import fairlead.job.Event;
import fairlead.job.Exit;
import fairlead.job.JobId;
import fairlead.job.Prediction;
import fairlead.job.Profile;
import fairlead.job.Setup;
import fairlead.job.TaskId;
import fairlead.job.Verdict;
import fairlead.wire.parts.Part;
import fairlead.wire.parts.StateParts;

import io.avaje.json.JsonWriter;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The stored form of an event, without its job and time, which are columns beside it. Older
 * journals hold this JSON, so a field may be added with a default, but never renamed; a test pins
 * the exact text.
 */
final class EventJson {
    private EventJson() {}

    static String write(Event event) {
        return PartsJson.text(
                json -> {
                    switch (event) {
                        case Event.Submitted _ -> put(json, "event", "submitted");
                        case Event.AttemptPlaced(_, Attempt attempt) -> {
                            put(json, "event", "placed");
                            put(json, attempt);
                        }
                        case Event.AttemptStarted(_, AttemptId attempt, Endpoints told) -> {
                            put(json, "event", "started");
                            put(json, "number", attempt.number());
                            StateParts.ENDPOINTS.put(json, told);
                        }
                        case Event.TasksEnded(_, AttemptId attempt, var exits) -> {
                            put(json, "event", "tasks-ended");
                            put(json, "number", attempt.number());
                            put(json, exits);
                        }
                        case Event.AttemptDecided(_, AttemptId attempt, Verdict verdict) -> {
                            put(json, "event", "decided");
                            put(json, "number", attempt.number());
                            put(json, verdict);
                        }
                        case Event.AttemptEnded(_, AttemptId attempt, Verdict verdict) -> {
                            put(json, "event", "ended");
                            put(json, "number", attempt.number());
                            put(json, verdict);
                        }
                        case Event.CancelRequested(_, String by) -> {
                            put(json, "event", "cancel-requested");
                            put(json, "by", by);
                        }
                        case Event.PreemptRequested(
                                        _,
                                        AttemptId attempt,
                                        JobId beneficiary,
                                        String why) -> {
                            put(json, "event", "preempt-requested");
                            put(json, "number", attempt.number());
                            put(json, "beneficiary", beneficiary.text());
                            put(json, "why", why);
                        }
                        case Event.TimeLimitReached(_, AttemptId attempt) -> {
                            put(json, "event", "time-limit-reached");
                            put(json, "number", attempt.number());
                        }
                        case Event.PatienceEnded(_, AttemptId attempt) -> {
                            put(json, "event", "patience-ended");
                            put(json, "number", attempt.number());
                        }
                        case Event.TrainingJoined(_, AttemptId attempt) -> {
                            put(json, "event", "training-joined");
                            put(json, "number", attempt.number());
                        }
                        case Event.EpochEnded(_, AttemptId attempt, Profile.Epoch epoch) -> {
                            put(json, "event", "epoch-ended");
                            put(json, "number", attempt.number());
                            putEpoch(json, epoch);
                        }
                        case Event.CheckpointSaved(_, AttemptId attempt, double fraction) -> {
                            put(json, "event", "checkpoint-saved");
                            put(json, "number", attempt.number());
                            put(json, "fraction", fraction);
                        }
                        case Event.MemoryMeasured(_, AttemptId attempt, long bytes) -> {
                            put(json, "event", "memory-measured");
                            put(json, "number", attempt.number());
                            put(json, "memoryBytes", bytes);
                        }
                        case Event.Released _ -> put(json, "event", "released");
                        case Event.Forsaken(_, String why) -> {
                            put(json, "event", "forsaken");
                            put(json, "why", why);
                        }
                        case Event.PriorityChanged(_, int priority, String by) -> {
                            put(json, "event", "priority-changed");
                            put(json, "priority", priority);
                            put(json, "by", by);
                        }
                        case Event.StartPredicted(_, Prediction told) -> {
                            put(json, "event", "start-predicted");
                            put(json, "earliest", told.earliest());
                            put(json, "expected", told.expected());
                            put(json, "latest", told.latest());
                        }
                    }
                });
    }

    private static void putEpoch(JsonWriter json, Profile.Epoch epoch) {
        put(json, "done", epoch.done());
        epoch.seconds().ifPresent(seconds -> put(json, "seconds", seconds));
        epoch.stepSeconds().ifPresent(seconds -> put(json, "stepSeconds", seconds));
        put(json, "memoryBytes", epoch.memoryBytes());
        if (!epoch.beside().isEmpty()) put(json, "beside", epoch.beside());
    }

    static Event read(String text, JobId job, Instant at) {
        var json = new StrictReader(text);
        String word = "";
        int number = 0;
        int priority = 0;
        Instant earliest = null;
        Instant expected = null;
        Instant latest = null;
        Attempt attempt = null;
        List<String> hosts = List.of();
        List<Integer> ports = List.of();
        Verdict verdict = null;
        String by = null;
        JobId beneficiary = null;
        String why = null;
        Map<TaskId, Exit> exits = Map.of();
        int done = 0;
        OptionalDouble seconds = OptionalDouble.empty();
        OptionalDouble stepSeconds = OptionalDouble.empty();
        long memoryBytes = 0;
        String beside = Setup.ALONE;
        double fraction = 0;
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "event" -> word = json.readString();
                case "number" -> number = json.readInt();
                case "earliest" -> earliest = INSTANT.read(json);
                case "expected" -> expected = INSTANT.read(json);
                case "latest" -> latest = INSTANT.read(json);
                case "priority" -> priority = json.readInt();
                case "hosts" -> hosts = TEXT.list().read(json);
                case "ports" -> ports = INT.list().read(json);
                case "attempt" -> attempt = StateParts.ATTEMPT.read(json).of(job);
                case "verdict" -> verdict = StateParts.VERDICT.read(json);
                case "exits" -> exits = StateParts.EXITS.read(json);
                case "by" -> by = json.readString();
                case "beneficiary" -> beneficiary = new JobId(json.readString());
                case "why" -> why = json.readString();
                case "fraction" -> fraction = json.readDouble();
                case "beside" -> beside = json.readString();
                case "done" -> done = json.readInt();
                case "seconds" -> seconds = OptionalDouble.of(json.readDouble());
                case "stepSeconds" -> stepSeconds = OptionalDouble.of(json.readDouble());
                case "memoryBytes" -> memoryBytes = json.readLong();
                default -> throw Part.unknown(json);
            }
        }
        json.endObject();
        json.expectEnd();
        return switch (word) {
            case "submitted" -> new Event.Submitted(at);
            case "placed" -> new Event.AttemptPlaced(at, attempt);
            case "started" ->
                    new Event.AttemptStarted(
                            at, new AttemptId(job, number), new Endpoints(hosts, ports));
            case "tasks-ended" -> new Event.TasksEnded(at, new AttemptId(job, number), exits);
            case "decided" -> new Event.AttemptDecided(at, new AttemptId(job, number), verdict);
            case "ended" -> new Event.AttemptEnded(at, new AttemptId(job, number), verdict);
            case "cancel-requested" -> new Event.CancelRequested(at, by);
            case "preempt-requested" ->
                    new Event.PreemptRequested(at, new AttemptId(job, number), beneficiary, why);
            case "time-limit-reached" -> new Event.TimeLimitReached(at, new AttemptId(job, number));
            case "patience-ended" -> new Event.PatienceEnded(at, new AttemptId(job, number));
            case "training-joined" -> new Event.TrainingJoined(at, new AttemptId(job, number));
            case "epoch-ended" ->
                    new Event.EpochEnded(
                            at,
                            new AttemptId(job, number),
                            new Profile.Epoch(done, seconds, stepSeconds, memoryBytes, beside));
            case "checkpoint-saved" ->
                    new Event.CheckpointSaved(at, new AttemptId(job, number), fraction);
            case "memory-measured" ->
                    new Event.MemoryMeasured(at, new AttemptId(job, number), memoryBytes);
            case "released" -> new Event.Released(at);
            case "forsaken" -> new Event.Forsaken(at, why);
            case "priority-changed" -> new Event.PriorityChanged(at, priority, by);
            case "start-predicted" ->
                    new Event.StartPredicted(at, Prediction.of(earliest, expected, latest));
            default -> throw json.wrong("has an unknown event: " + word);
        };
    }
}
