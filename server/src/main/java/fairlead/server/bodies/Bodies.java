package fairlead.server.bodies;

import fairlead.api.EventBody;
import fairlead.api.TaskBody;
import fairlead.engine.TaskPorts;
import fairlead.job.Attempt;
import fairlead.job.Event;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Outcome;
import fairlead.job.Role;
import fairlead.job.Setbacks;
import fairlead.job.Share;
import fairlead.job.StopReason;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Verdict;
import fairlead.journal.Fact;
import fairlead.policy.forecast.Forecast;
import fairlead.wire.GpuAsk;
import fairlead.wire.Units;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The tasks of jobs and what happened to them, as clients see them. */
public final class Bodies {
    /** So many tasks of one event are named; a gang of thousands would drown the reader. */
    private static final int TASKS_NAMED_MAX = 5;

    /** Units up to this are thousandths of a GPU of unknown memory: no GPU has so few bytes. */
    private static final long THOUSANDTHS = 1_000;

    private Bodies() {}

    /**
     * Where a waiting job stands.
     *
     * @param start when it may start, where that can be foreseen
     */
    public record Standing(int place, Optional<Forecast.Band> start) {}

    /** What every task with a GPU wants of it; null when that is a whole one, or differs. */
    public static String gpuPart(JobSpec spec) {
        var parts =
                spec.roles().stream()
                        .map(Role::resources)
                        .filter(ask -> ask.gpus() > 0)
                        .map(ask -> Optional.ofNullable(GpuAsk.gpu(ask)).orElse(GpuAsk.memory(ask)))
                        .map(Optional::ofNullable)
                        .distinct()
                        .toList();
        return parts.size() == 1 ? parts.getFirst().orElse(null) : null;
    }

    /** The tasks of the current or last attempt; a job that waits has none. */
    public static List<TaskBody> tasks(Job job) {
        Optional<TaskPorts> ports = TaskPorts.of(job);
        Map<TaskId, Exit> exits =
                switch (job.state()) {
                    case JobState.Queued _ -> Map.of();
                    case JobState.Active active -> active.exits();
                    case JobState.Finished over -> over.exits();
                };
        // A task of an ended attempt that never reported its end is lost.
        String silent = job.isFinished() ? "lost" : job.state().word();
        var tasks = new ArrayList<TaskBody>();
        job.attempt()
                .ifPresent(
                        attempt -> {
                            List<TaskPlacement> placed = attempt.placement().tasks();
                            for (int rank = 0; rank < placed.size(); rank++) {
                                TaskPlacement task = placed.get(rank);
                                Exit exit = exits.get(task.task());
                                int which = rank;
                                var own = ports.map(all -> all.of(which)).orElse(Map.of());
                                tasks.add(task(task, exit, silent, own));
                            }
                        });
        return tasks;
    }

    private static TaskBody task(
            TaskPlacement place, Exit exit, String silent, Map<String, List<Integer>> ports) {
        String state =
                exit == null
                        ? silent
                        : exit.isLost() ? "lost" : exit.succeeded() ? "succeeded" : "failed";
        return new TaskBody(
                place.task().toString(),
                state,
                place.node(),
                place.gpus(),
                part(place).filter(units -> units > THOUSANDTHS).orElse(null),
                part(place).filter(units -> units <= THOUSANDTHS).map(Long::intValue).orElse(null),
                exit == null || exit.isLost() ? null : exit.code().getAsInt(),
                note(exit),
                ports.isEmpty() ? null : ports);
    }

    private static String note(Exit exit) {
        if (exit == null) return null;
        if (!exit.note().isEmpty()) return exit.note();
        return isStopped(exit) ? "stopped" : null;
    }

    private static Optional<Long> part(TaskPlacement place) {
        return place.shares().stream()
                .filter(share -> !share.isWhole())
                .map(Share::units)
                .findFirst();
    }

    /** One fact that has just happened, and the job as it left it. */
    public static EventBody event(Fact fact, Job after) {
        boolean isOver = fact.event() instanceof Event.AttemptEnded;
        String detail =
                isOver ? end(after, (Event.AttemptEnded) fact.event()) : detail(fact.event());
        return event(fact, after.state().word(), detail);
    }

    /** How an attempt ended: of one that was stopped, what stopped it, not what that did to it. */
    private static String end(Job after, Event.AttemptEnded ended) {
        return switch (after.state()) {
            case JobState.Finished over -> words(over.outcome());
            // Only who was preempted need not pause before the next attempt.
            case JobState.Queued queued when queued.notBefore().equals(queued.since()) -> {
                Setbacks.Receipt receipt = after.setbacks().last().getLast();
                yield preempted(after.id(), receipt.beneficiary(), receipt.why());
            }
            case JobState.Queued _, JobState.Active _ -> words(ended.verdict());
        };
    }

    /**
     * A job's whole past. Only the last state is known from the job; the others from what followed.
     */
    public static List<EventBody> events(Job job, List<Fact> history) {
        var events = new ArrayList<EventBody>();
        String state = "queued";
        Optional<Event.PreemptRequested> preempt = Optional.empty();
        var exits = new ArrayList<Exit>();
        for (int i = 0; i < history.size(); i++) {
            Fact fact = history.get(i);
            if (i == history.size() - 1) {
                events.add(event(fact, job));
                break;
            }
            state = stateAfter(fact.event(), state);
            String detail = detail(fact.event());
            switch (fact.event()) {
                case Event.AttemptPlaced _ -> {
                    preempt = Optional.empty();
                    exits.clear();
                }
                case Event.PreemptRequested asked -> preempt = Optional.of(asked);
                case Event.TasksEnded more -> exits.addAll(more.exits().values());
                case Event.AttemptEnded ended -> {
                    if (preempt.isPresent() && !failedByItself(ended.verdict(), exits))
                        detail =
                                preempted(
                                        job.id(), preempt.get().beneficiary(), preempt.get().why());
                }
                case Event.Submitted _,
                        Event.Released _,
                        Event.Forsaken _,
                        Event.AttemptStarted _,
                        Event.AttemptDecided _,
                        Event.CancelRequested _,
                        Event.TimeLimitReached _,
                        Event.PriorityChanged _,
                        Event.StartPredicted _,
                        Event.PatienceEnded _,
                        Event.Report _ -> {}
            }
            events.add(event(fact, state, detail));
        }
        return events;
    }

    /**
     * The order to stop came too late. Who stops at a checkpoint, as it was asked to, ends well.
     */
    private static boolean failedByItself(Verdict verdict, List<Exit> exits) {
        return verdict instanceof Verdict.Failed
                && !exits.isEmpty()
                && exits.stream().noneMatch(exit -> exit.stopped() || exit.isLost());
    }

    /** An attempt that ended and was followed by something must have gone back to the queue. */
    private static String stateAfter(Event event, String before) {
        return switch (event) {
            case Event.Submitted _, Event.Released _, Event.AttemptEnded _ -> "queued";
            case Event.Forsaken _ -> "cancelled";
            case Event.AttemptPlaced _ -> "starting";
            case Event.AttemptStarted _ -> "running";
            case Event.TasksEnded _,
                    Event.PriorityChanged _,
                    Event.StartPredicted _,
                    Event.Report _ ->
                    before;
            case Event.AttemptDecided _,
                    Event.PatienceEnded _,
                    Event.CancelRequested _,
                    Event.PreemptRequested _,
                    Event.TimeLimitReached _ ->
                    "stopping";
        };
    }

    private static EventBody event(Fact fact, String state, String detail) {
        Event event = fact.event();
        return new EventBody(fact.job().text(), event.at().toString(), word(event), detail, state);
    }

    private static String word(Event event) {
        return switch (event) {
            case Event.Submitted _ -> "submitted";
            case Event.Released _ -> "released";
            case Event.Forsaken _ -> "forsaken";
            case Event.AttemptPlaced _ -> "placed";
            case Event.AttemptStarted _ -> "started";
            case Event.TasksEnded _ -> "tasks-ended";
            case Event.AttemptDecided _ -> "decided";
            case Event.AttemptEnded _ -> "ended";
            case Event.CancelRequested _ -> "cancel-requested";
            case Event.PreemptRequested _ -> "preempt-requested";
            case Event.TimeLimitReached _ -> "time-limit-reached";
            case Event.PriorityChanged _ -> "priority-changed";
            case Event.StartPredicted _ -> "start-predicted";
            case Event.PatienceEnded _ -> "patience-ended";
            case Event.TrainingJoined _ -> "training-joined";
            case Event.EpochEnded _ -> "epoch-ended";
            case Event.CheckpointSaved _ -> "checkpoint-saved";
            case Event.MemoryMeasured _ -> "memory-measured";
        };
    }

    private static String detail(Event event) {
        return switch (event) {
            case Event.Submitted _ -> null;
            case Event.Released _ -> "what it waited for has come";
            case Event.Forsaken(_, String why) -> why;
            case Event.AttemptPlaced(_, Attempt attempt) ->
                    "attempt " + attempt.id().number() + " on " + String.join(", ", nodes(attempt));
            case Event.AttemptStarted(_, var attempt, _) -> "attempt " + attempt.number();
            case Event.TasksEnded(_, _, var exits) -> exits(exits);
            case Event.AttemptDecided(_, _, Verdict verdict) -> words(verdict);
            case Event.AttemptEnded(_, _, Verdict verdict) -> words(verdict);
            case Event.CancelRequested(_, String by) -> "by " + by;
            case Event.PreemptRequested(_, var attempt, var beneficiary, String why) ->
                    whom(attempt.job(), beneficiary) + why;
            case Event.TimeLimitReached _, Event.TrainingJoined _, Event.CheckpointSaved _ -> null;
            case Event.PatienceEnded _ -> "no checkpoint came; it is stopped without one";
            case Event.EpochEnded(_, _, var epoch) -> "epoch " + epoch.done();
            case Event.MemoryMeasured(_, _, long bytes) -> Units.text(bytes) + " of a GPU";
            case Event.PriorityChanged(_, int priority, String by) ->
                    "to " + priority + " by " + by;
            case Event.StartPredicted(_, var told) ->
                    "at "
                            + told.expected()
                            + ", between "
                            + told.earliest()
                            + " and "
                            + told.latest();
        };
    }

    private static String exits(Map<TaskId, Exit> exits) {
        String named =
                exits.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .limit(TASKS_NAMED_MAX)
                        .map(entry -> entry.getKey() + " " + words(entry.getValue()))
                        .collect(Collectors.joining(", "));
        int more = exits.size() - TASKS_NAMED_MAX;
        return more > 0 ? named + " and " + more + " more" : named;
    }

    private static String words(Exit exit) {
        String fate =
                exit.isLost()
                        ? "was lost"
                        : (isStopped(exit) ? "was stopped, exited with " : "exited with ")
                                + exit.code().getAsInt();
        return exit.note().isEmpty() ? fate : fate + " (" + exit.note() + ")";
    }

    /** Whether its code is what a stop did to it. */
    private static boolean isStopped(Exit exit) {
        return exit.stopped() && !exit.isLost() && !exit.succeeded();
    }

    private static String words(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Succeeded _ -> "succeeded";
            case Verdict.Failed(int code, String reason) -> failed(code, reason);
            case Verdict.Lost(String reason) -> "lost: " + reason;
        };
    }

    private static String words(Outcome outcome) {
        return switch (outcome.kind()) {
            case SUCCEEDED -> "succeeded";
            case FAILED -> failed(outcome.exitCode(), outcome.reason());
            case CANCELLED -> "cancelled";
        };
    }

    private static String failed(int code, String reason) {
        return reason.isEmpty() ? "failed with exit code " + code : "failed: " + reason;
    }

    private static String preempted(JobId job, JobId beneficiary, String why) {
        return beneficiary.equals(job)
                ? "stopped: " + why
                : "stopped for " + beneficiary + ": " + why;
    }

    static Optional<Outcome> outcome(JobState state) {
        return state instanceof JobState.Finished over
                ? Optional.of(over.outcome())
                : Optional.empty();
    }

    /** Why it is being stopped, or has ended as it has; null where there is nothing to say. */
    public static String reason(JobState state) {
        return switch (state) {
            case JobState.Queued _, JobState.Starting _, JobState.Running _ -> null;
            case JobState.Stopping stopping ->
                    words(stopping.reason(), stopping.attempt().id().job());
            case JobState.Finished over ->
                    over.outcome().reason().isEmpty() ? null : over.outcome().reason();
        };
    }

    private static String words(StopReason reason, JobId job) {
        return switch (reason) {
            case StopReason.Cancelled(String by) -> "cancelled by " + by;
            case StopReason.Preempted(var beneficiary, String why, boolean atCheckpoint) ->
                    "preempted "
                            + whom(job, beneficiary)
                            + why
                            + (atCheckpoint ? "; stops at its next checkpoint" : "");
            case StopReason.Decided(Verdict verdict) -> words(verdict);
            case StopReason.TimeLimit _ -> "time limit reached";
        };
    }

    /** Before the reason, which names others itself where a job only changes its size or place. */
    private static String whom(JobId job, JobId beneficiary) {
        return beneficiary.equals(job) ? "" : "for " + beneficiary + ": ";
    }

    static List<String> nodes(Attempt attempt) {
        return attempt.placement().tasks().stream().map(TaskPlacement::node).distinct().toList();
    }
}
