package fairlead.server.snapshot;

import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Progress;
import fairlead.job.RetryPolicy;
import fairlead.job.Role;
import fairlead.job.Setbacks;
import fairlead.job.StopReason;
import fairlead.job.TaskPlacement;
import fairlead.job.Training;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A job of a snapshot while it is read, field by field. */
final class JobDraft {
    static final String NO_SCRIPT = "none";

    private final String cluster;
    JobId id;
    String owner;
    String project;
    Instant submitted;
    int priority;
    boolean interactive;
    Optional<Duration> timeLimit = Optional.empty();
    int attempts;
    Duration served = Duration.ZERO;
    String script = NO_SCRIPT;
    List<Role> roles = List.of();
    String word;
    Instant since;
    Instant notBefore = Instant.EPOCH;
    Optional<Instant> started = Optional.empty();
    Optional<JobId> stoppingFor = Optional.empty();
    boolean atCheckpoint;
    Optional<Training> training = Optional.empty();
    Progress progress = Progress.NONE;
    Setbacks setbacks = Setbacks.NONE;
    List<TaskPlacement> tasks = List.of();

    JobDraft(String cluster) {
        this.cluster = cluster;
    }

    Job job() {
        if (id == null || owner == null || project == null || submitted == null || since == null) {
            throw new IllegalArgumentException(
                    (id == null ? "a job" : id) + " lacks its id, owner, project or times");
        }
        var spec =
                JobSpec.of(
                        edit -> {
                            edit.name = "snapshot";
                            edit.cluster = cluster;
                            edit.project = project;
                            edit.priority = priority;
                            edit.roles =
                                    roles.stream()
                                            .map(role -> role.running(List.of(script)))
                                            .toList();
                            edit.timeLimit = timeLimit;
                            edit.workingFolder = "/";
                            edit.interactive = interactive;
                            edit.training = training;
                        });
        return new Job(
                id,
                spec,
                owner,
                submitted,
                Optional.empty(),
                Optional.empty(),
                priority,
                state(),
                attempts,
                0,
                0,
                // The first version did not say it, and meant the same time as its state's.
                started.or(() -> word.equals("starting") ? started : Optional.of(since)),
                Optional.empty(),
                served,
                setbacks,
                progress,
                RetryPolicy.Tries.NONE);
    }

    private JobState state() {
        return switch (word) {
            case "queued" -> new JobState.Queued(since, notBefore);
            case "starting" -> new JobState.Starting(attempt(), since, Map.of());
            case "running" -> new JobState.Running(attempt(), since, Map.of());
            case "stopping" -> new JobState.Stopping(attempt(), reason(), since, Map.of());
            case null, default ->
                    throw new IllegalArgumentException(id + " has no known state: " + word);
        };
    }

    private Attempt attempt() {
        return new Attempt(new AttemptId(id, attempts), new Placement(tasks));
    }

    private StopReason reason() {
        return stoppingFor
                .<StopReason>map(
                        other ->
                                new StopReason.Preempted(other, "as in the snapshot", atCheckpoint))
                .orElseGet(() -> new StopReason.Cancelled(owner));
    }
}
