package fairlead.wire.parts;

import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Endpoints;
import fairlead.job.Exit;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Outcome;
import fairlead.job.Placement;
import fairlead.job.StopReason;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A state by its facts, of which each kind has some. States are taken apart and put together here
 * alone; a journal and a snapshot differ in which of the facts they write, and how.
 *
 * @param since when it began; of a finished job, when it ended
 * @param exits empty for a job that waits
 */
public record StateFacts(
        Kind kind,
        Instant since,
        Optional<Instant> notBefore,
        Optional<StopReason> reason,
        Optional<Outcome> outcome,
        Optional<Numbered> attempt,
        Optional<Map<TaskId, Exit>> exits) {
    public enum Kind {
        QUEUED,
        STARTING,
        RUNNING,
        STOPPING,
        FINISHED
    }

    /** An attempt without its job, whose id is beside it. */
    public record Numbered(int number, List<TaskPlacement> tasks, Endpoints endpoints) {
        public static Numbered of(Attempt attempt) {
            return new Numbered(
                    attempt.id().number(), attempt.placement().tasks(), attempt.endpoints());
        }

        public Attempt of(JobId job) {
            return new Attempt(new AttemptId(job, number), new Placement(tasks), endpoints);
        }
    }

    public static StateFacts of(JobState state) {
        return switch (state) {
            case JobState.Queued(Instant since, Instant notBefore) ->
                    new StateFacts(
                            Kind.QUEUED,
                            since,
                            Optional.of(notBefore),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty());
            case JobState.Starting starting -> active(Kind.STARTING, starting, Optional.empty());
            case JobState.Running running -> active(Kind.RUNNING, running, Optional.empty());
            case JobState.Stopping stopping ->
                    active(Kind.STOPPING, stopping, Optional.of(stopping.reason()));
            case JobState.Finished(Outcome outcome, Instant at, var last, var exits) ->
                    new StateFacts(
                            Kind.FINISHED,
                            at,
                            Optional.empty(),
                            Optional.empty(),
                            Optional.of(outcome),
                            last.map(Numbered::of),
                            Optional.of(exits));
        };
    }

    private static StateFacts active(
            Kind kind, JobState.Active active, Optional<StopReason> reason) {
        return new StateFacts(
                kind,
                active.since(),
                Optional.empty(),
                reason,
                Optional.empty(),
                Optional.of(Numbered.of(active.attempt())),
                Optional.of(active.exits()));
    }

    /** Refuses a state that lacks one of its facts. */
    public JobState state(JobId job) {
        Map<TaskId, Exit> ended = exits.orElse(Map.of());
        return switch (kind) {
            case QUEUED -> new JobState.Queued(since, notBefore.orElse(Instant.EPOCH));
            case STARTING -> new JobState.Starting(attempt(job), since, ended);
            case RUNNING -> new JobState.Running(attempt(job), since, ended);
            case STOPPING ->
                    new JobState.Stopping(
                            attempt(job), needed(reason, "reason to stop"), since, ended);
            case FINISHED ->
                    new JobState.Finished(
                            needed(outcome, "outcome"),
                            since,
                            attempt.map(each -> each.of(job)),
                            ended);
        };
    }

    private Attempt attempt(JobId job) {
        return needed(attempt, "attempt").of(job);
    }

    private <V> V needed(Optional<V> fact, String name) {
        return fact.orElseThrow(
                () -> new IllegalArgumentException("the state " + kind + " has no " + name));
    }
}
