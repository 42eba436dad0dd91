package fairlead.journals.sqlite;

import static fairlead.journals.sqlite.PartsJson.put;
import static fairlead.wire.parts.Form.INT;

import fairlead.api.json.StrictReader;
import fairlead.job.Attempt;
import fairlead.job.Exit;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Outcome;
import fairlead.job.RetryPolicy;
import fairlead.job.StopReason;
import fairlead.job.TaskId;
import fairlead.wire.parts.Part;
import fairlead.wire.parts.Part.Fields;
import fairlead.wire.parts.Part.Found;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The stored form of a job's state, and of what its retry policy counts. */
final class StateJson {
    static final Part<RetryPolicy.Tries> TRIES = Part.of(StateJson::tries);

    private static Function<Found, RetryPolicy.Tries> tries(Fields<RetryPolicy.Tries> fields) {
        var succeeded = fields.field("succeeded", INT, RetryPolicy.Tries::succeeded);
        var transients = fields.field("transients", INT, RetryPolicy.Tries::transients);
        var conflicts = fields.field("conflicts", INT, RetryPolicy.Tries::conflicts);
        var permanents = fields.field("permanents", INT, RetryPolicy.Tries::permanents);
        var unknowns = fields.field("unknowns", INT, RetryPolicy.Tries::unknowns);
        return found ->
                new RetryPolicy.Tries(
                        succeeded.in(found),
                        transients.in(found),
                        conflicts.in(found),
                        permanents.in(found),
                        unknowns.in(found));
    }

    private StateJson() {}

    static String write(JobState state) {
        return PartsJson.text(
                json -> {
                    switch (state) {
                        case JobState.Queued(Instant since, Instant notBefore) -> {
                            put(json, "state", "queued");
                            put(json, "since", since);
                            put(json, "notBefore", notBefore);
                        }
                        case JobState.Starting(Attempt attempt, Instant since, var exits) -> {
                            put(json, "state", "starting");
                            put(json, "since", since);
                            put(json, attempt);
                            put(json, exits);
                        }
                        case JobState.Running(Attempt attempt, Instant since, var exits) -> {
                            put(json, "state", "running");
                            put(json, "since", since);
                            put(json, attempt);
                            put(json, exits);
                        }
                        case JobState.Stopping(
                                        Attempt attempt,
                                        StopReason reason,
                                        Instant since,
                                        var exits) -> {
                            put(json, "state", "stopping");
                            put(json, "since", since);
                            put(json, reason);
                            put(json, attempt);
                            put(json, exits);
                        }
                        case JobState.Finished(
                                        Outcome outcome,
                                        Instant at,
                                        var last,
                                        var exits) -> {
                            put(json, "state", "finished");
                            put(json, "at", at);
                            put(json, outcome);
                            last.ifPresent(attempt -> put(json, attempt));
                            put(json, exits);
                        }
                    }
                });
    }

    static JobState read(String text, JobId job) {
        var json = new StrictReader(text);
        String word = "";
        Instant since = null;
        Instant notBefore = null;
        Instant at = null;
        Attempt attempt = null;
        StopReason reason = null;
        Outcome outcome = null;
        Map<TaskId, Exit> exits = Map.of();
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "state" -> word = json.readString();
                case "since" -> since = PartsJson.instant(json);
                case "notBefore" -> notBefore = PartsJson.instant(json);
                case "at" -> at = PartsJson.instant(json);
                case "attempt" -> attempt = PartsJson.attempt(json, job);
                case "reason" -> reason = PartsJson.stopReason(json);
                case "outcome" -> outcome = PartsJson.outcome(json);
                case "exits" -> exits = PartsJson.exits(json);
                default -> throw Part.unknown(json);
            }
        }
        json.endObject();
        json.expectEnd();
        return switch (word) {
            case "queued" -> new JobState.Queued(since, notBefore);
            case "starting" -> new JobState.Starting(attempt, since, exits);
            case "running" -> new JobState.Running(attempt, since, exits);
            case "stopping" -> new JobState.Stopping(attempt, reason, since, exits);
            case "finished" ->
                    new JobState.Finished(outcome, at, Optional.ofNullable(attempt), exits);
            default -> throw json.wrong("has an unknown state: " + word);
        };
    }
}
