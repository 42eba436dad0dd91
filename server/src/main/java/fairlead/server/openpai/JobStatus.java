package fairlead.server.openpai;

import fairlead.dialects.openpai.CompletionReason;
import fairlead.dialects.openpai.Diagnostics;
import fairlead.dialects.openpai.Ending;
import fairlead.dialects.openpai.ExitStatus;
import fairlead.dialects.openpai.FrameworkState;
import fairlead.dialects.openpai.PaiLaunch;
import fairlead.dialects.openpai.PaiState;
import fairlead.job.AttemptId;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Outcome;
import fairlead.job.Role;
import fairlead.job.StopReason;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where a job stands, in OpenPAI's words. */
record JobStatus(Job job) {
    /** O49: waits again between two attempts. */
    String state() {
        return PaiState.of(subState(), exit()).name();
    }

    FrameworkState subState() {
        return FrameworkState.of(job.state().word()).orElseThrow();
    }

    /** STOP from the moment that somebody asks for it. */
    String executionType() {
        boolean stops =
                switch (job.state()) {
                    case JobState.Queued _, JobState.Starting _, JobState.Running _ -> false;
                    case JobState.Stopping stopping ->
                            stopping.reason() instanceof StopReason.Cancelled;
                    case JobState.Finished over ->
                            switch (over.outcome().kind()) {
                                case CANCELLED -> true;
                                case SUCCEEDED, FAILED -> false;
                            };
                };
        return stops ? "STOP" : "START";
    }

    /** O46. A job that only counts its failures has had as many tries as attempts, less one. */
    int retries() {
        return job.spec().retry().isPresent() ? job.tries().sum() : Math.max(0, job.attempts() - 1);
    }

    long createdTime() {
        return job.submitted().toEpochMilli();
    }

    Optional<Long> completedTime() {
        return job.state() instanceof JobState.Finished over
                ? Optional.of(over.at().toEpochMilli())
                : Optional.empty();
    }

    /** O40; only a finished job has one. */
    Optional<ExitStatus> exit() {
        if (!(job.state() instanceof JobState.Finished over)) return Optional.empty();
        return Optional.of(
                switch (over.outcome().kind()) {
                    case SUCCEEDED -> ExitStatus.SUCCEEDED;
                    case CANCELLED -> ExitStatus.of(new Ending.StopRequested());
                    case FAILED ->
                            last(over)
                                    .map(Map.Entry::getValue)
                                    .filter(exit -> exit.outOfMemory() || exit.isLost())
                                    .map(JobStatus::broken)
                                    .orElse(
                                            ExitStatus.of(
                                                    new Ending.Exited(over.outcome().exitCode())));
                });
    }

    private static ExitStatus broken(Exit exit) {
        return ExitStatus.of(exit.isLost() ? new Ending.Lost() : new Ending.MemoryExceeded());
    }

    Map<TaskId, Exit> exits() {
        return switch (job.state()) {
            case JobState.Queued _ -> Map.of();
            case JobState.Active active -> active.exits();
            case JobState.Finished over -> over.exits();
        };
    }

    /** The share of its tasks that have ended. */
    double progress() {
        return (double) exits().size() / job.spec().tasks();
    }

    /** O81; only a finished job has them. */
    Optional<String> diagnostics(Addresses addresses) {
        if (!(job.state() instanceof JobState.Finished over)) return Optional.empty();
        Optional<Diagnostics.LastTask> last = last(over).map(each -> lastTask(each, addresses));
        return exit().map(status -> new Diagnostics(status, last, reason(over)).text());
    }

    private Diagnostics.LastTask lastTask(Map.Entry<TaskId, Exit> ended, Addresses addresses) {
        TaskId task = ended.getKey();
        Exit exit = ended.getValue();
        return new Diagnostics.LastTask(
                task.role(),
                task.index(),
                job.attempt().map(attempt -> containerId(attempt.id(), task)).orElse(""),
                ip(task, addresses),
                exit.isLost() ? Optional.empty() : Optional.of(exit.code().getAsInt()),
                exit.note());
    }

    private String ip(TaskId task, Addresses addresses) {
        List<TaskPlacement> placed =
                job.attempt().map(attempt -> attempt.placement().tasks()).orElse(List.of());
        for (int rank = 0; rank < placed.size(); rank++)
            if (placed.get(rank).task().equals(task))
                return addresses.ip(job, placed.get(rank), rank);
        return "";
    }

    /**
     * The task that ended the attempt. Those that were stopped because of it ended later, but are
     * not to blame.
     */
    private static Optional<Map.Entry<TaskId, Exit>> last(JobState.Finished over) {
        return over.exits().entrySet().stream()
                .max(
                        Comparator.comparing(
                                        (Map.Entry<TaskId, Exit> each) ->
                                                !each.getValue().stopped())
                                .thenComparing(each -> each.getValue().at()));
    }

    /** O45. */
    private String reason(JobState.Finished over) {
        // Whatever its tasks did: it was stopped.
        if (over.outcome().kind() == Outcome.Kind.CANCELLED) return over.outcome().reason();
        int failures = 0;
        for (Role role : job.spec().roles()) {
            int failed = 0;
            int succeeded = 0;
            for (var each : over.exits().entrySet()) {
                boolean counts =
                        each.getKey().role().equals(role.name()) && !each.getValue().stopped();
                if (!counts) continue;
                if (each.getValue().succeeded()) succeeded++;
                else failed++;
            }
            failures += failed;
            if (role.minFailed().isPresent() && failed >= role.minFailed().getAsInt())
                return CompletionReason.failed(role.name(), failed, role.minFailed().getAsInt());
            if (role.minSucceeded().isPresent() && succeeded >= role.minSucceeded().getAsInt())
                return CompletionReason.succeeded(
                        role.name(), succeeded, role.minSucceeded().getAsInt());
        }
        // Where no rule has fired, a job of ended tasks has succeeded. One that failed was lost, or
        // its time was over.
        return over.outcome().kind() == Outcome.Kind.SUCCEEDED
                ? CompletionReason.allCompleted(job.spec().tasks(), failures)
                : over.outcome().reason();
    }

    /** What OpenPAI's users know one run of a task by. */
    static String containerId(AttemptId attempt, TaskId task) {
        return PaiLaunch.containerId(
                attempt.job().text(), attempt.number(), task.role(), task.index());
    }
}
