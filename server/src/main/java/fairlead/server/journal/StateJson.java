package fairlead.server.journal;

import static fairlead.server.journal.PartsJson.put;

import fairlead.api.StrictReader;
import fairlead.job.Attempt;
import fairlead.job.Exit;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Outcome;
import fairlead.job.RetryPolicy;
import fairlead.job.StopReason;
import fairlead.job.TaskId;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The stored form of a job's state, and of what its retry policy counts. */
final class StateJson {
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

    static String write(RetryPolicy.Tries tries) {
        return PartsJson.text(
                json -> {
                    put(json, "succeeded", tries.succeeded());
                    put(json, "transients", tries.transients());
                    put(json, "conflicts", tries.conflicts());
                    put(json, "permanents", tries.permanents());
                    put(json, "unknowns", tries.unknowns());
                });
    }

    static RetryPolicy.Tries tries(String text) {
        var json = new StrictReader(text);
        int succeeded = 0;
        int transients = 0;
        int conflicts = 0;
        int permanents = 0;
        int unknowns = 0;
        json.beginObject();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "succeeded" -> succeeded = json.readInt();
                case "transients" -> transients = json.readInt();
                case "conflicts" -> conflicts = json.readInt();
                case "permanents" -> permanents = json.readInt();
                case "unknowns" -> unknowns = json.readInt();
                default -> throw PartsJson.unknown(json);
            }
        }
        json.endObject();
        json.expectEnd();
        return new RetryPolicy.Tries(succeeded, transients, conflicts, permanents, unknowns);
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
                default -> throw PartsJson.unknown(json);
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
