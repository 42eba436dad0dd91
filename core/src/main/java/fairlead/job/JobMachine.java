package fairlead.job;

import static fairlead.job.JobState.Active;
import static fairlead.job.JobState.Finished;
import static fairlead.job.JobState.Queued;
import static fairlead.job.JobState.Running;
import static fairlead.job.JobState.Starting;
import static fairlead.job.JobState.Stopping;

import fairlead.job.Event.AttemptDecided;
import fairlead.job.Event.AttemptEnded;
import fairlead.job.Event.AttemptPlaced;
import fairlead.job.Event.AttemptStarted;
import fairlead.job.Event.CancelRequested;
import fairlead.job.Event.Forsaken;
import fairlead.job.Event.PatienceEnded;
import fairlead.job.Event.PreemptRequested;
import fairlead.job.Event.PriorityChanged;
import fairlead.job.Event.Released;
import fairlead.job.Event.Report;
import fairlead.job.Event.StartPredicted;
import fairlead.job.Event.Submitted;
import fairlead.job.Event.TasksEnded;
import fairlead.job.Event.TimeLimitReached;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The life of a job as two functions: what an event makes of it, and what its state owes the world.
 * docs/LIFECYCLE.md holds the same as a table, which the test reads.
 */
public final class JobMachine {
    /** A job that loses its node this often in a row is likelier the cause than the victim. */
    static final int LOSSES_MAX = 20;

    /**
     * One that is lost before it runs did no harm to its node: it only waits, for as long as the
     * longest pause at least, until its cluster takes it.
     */
    static final int LOSSES_BEFORE_START_MAX = 7;

    private static final Duration RETRY_PAUSE_FIRST = Duration.ofSeconds(1);
    private static final Duration RETRY_PAUSE_MAX = Duration.ofMinutes(1);

    private JobMachine() {}

    public static Job next(Job job, Event event) {
        if (event instanceof PriorityChanged changed && !job.isFinished()) {
            return job.withPriority(changed.priority());
        }
        if (event instanceof StartPredicted told && job.state() instanceof Queued) {
            return job.predicted(Optional.of(told.prediction()));
        }
        if (event instanceof Report report) return reported(job, report);
        Job next = moved(job, event);
        boolean hasRun = job.state() instanceof Running && !(next.state() instanceof Running);
        if (!hasRun) return next;
        Instant left = next.state() instanceof Finished over ? over.at() : event.at();
        return next.after((Running) job.state(), left);
    }

    private static Job reported(Job job, Report report) {
        if (job.spec().training().isEmpty()
                || !(job.state() instanceof Active alive)
                || !alive.attempt().id().equals(report.attempt())) {
            throw new IllegalTransition(job, report);
        }
        return job.with(job.progress().after(report, alive.attempt().placement()));
    }

    private static Job moved(Job job, Event event) {
        return switch (job.state()) {
            case Queued _ ->
                    switch (event) {
                        case AttemptPlaced placed -> placed(job, placed);
                        case CancelRequested cancel ->
                                finished(
                                        job,
                                        Outcome.cancelled(cancel.by()),
                                        cancel.at(),
                                        Optional.empty(),
                                        Map.of());
                        case Released released when job.isHeld() ->
                                queuedAt(job, released.at(), Instant.EPOCH);
                        case Forsaken forsaken when job.isHeld() ->
                                finished(
                                        job,
                                        Outcome.forsaken(forsaken.why()),
                                        forsaken.at(),
                                        Optional.empty(),
                                        Map.of());
                        case Submitted _,
                                Released _,
                                Forsaken _,
                                AttemptStarted _,
                                TasksEnded _,
                                AttemptDecided _,
                                AttemptEnded _,
                                PreemptRequested _,
                                TimeLimitReached _,
                                PatienceEnded _,
                                PriorityChanged _,
                                StartPredicted _,
                                Report _ ->
                                throw new IllegalTransition(job, event);
                    };
            case Starting starting ->
                    switch (event) {
                        case AttemptStarted started ->
                                job.startedAt(Optional.of(started.at()))
                                        .predicted(
                                                job.prediction()
                                                        .map(told -> told.judged(started.at())))
                                        .with(
                                                new Running(
                                                        starting.attempt().at(started.endpoints()),
                                                        started.at(),
                                                        starting.exits()));
                        case TasksEnded ended ->
                                job.with(
                                        new Starting(
                                                starting.attempt(),
                                                starting.since(),
                                                plus(starting.exits(), ended)));
                        case Submitted _,
                                Released _,
                                Forsaken _,
                                AttemptPlaced _,
                                PatienceEnded _,
                                PriorityChanged _,
                                StartPredicted _,
                                Report _ ->
                                throw new IllegalTransition(job, event);
                        case AttemptDecided _,
                                AttemptEnded _,
                                CancelRequested _,
                                PreemptRequested _,
                                TimeLimitReached _ ->
                                fromAlive(job, starting, event);
                    };
            case Running running ->
                    switch (event) {
                        case TasksEnded ended ->
                                job.with(
                                        new Running(
                                                running.attempt(),
                                                running.since(),
                                                plus(running.exits(), ended)));
                        case Submitted _,
                                Released _,
                                Forsaken _,
                                AttemptPlaced _,
                                AttemptStarted _,
                                PatienceEnded _,
                                PriorityChanged _,
                                StartPredicted _,
                                Report _ ->
                                throw new IllegalTransition(job, event);
                        case AttemptDecided _,
                                AttemptEnded _,
                                CancelRequested _,
                                PreemptRequested _,
                                TimeLimitReached _ ->
                                fromAlive(job, running, event);
                    };
            case Stopping stopping ->
                    switch (event) {
                        case TasksEnded ended ->
                                job.with(
                                        new Stopping(
                                                stopping.attempt(),
                                                stopping.reason(),
                                                stopping.since(),
                                                plus(stopping.exits(), ended)));
                        case AttemptEnded ended -> afterStop(job, stopping, ended);
                        case CancelRequested cancel ->
                                stopping.reason() instanceof StopReason.Cancelled
                                        ? job
                                        : job.with(
                                                new Stopping(
                                                        stopping.attempt(),
                                                        new StopReason.Cancelled(cancel.by()),
                                                        cancel.at(),
                                                        stopping.exits()));
                        case PatienceEnded over -> hurried(job, stopping, over);
                        case Submitted _,
                                Released _,
                                Forsaken _,
                                AttemptPlaced _,
                                AttemptStarted _,
                                AttemptDecided _,
                                PreemptRequested _,
                                TimeLimitReached _,
                                PriorityChanged _,
                                StartPredicted _,
                                Report _ ->
                                throw new IllegalTransition(job, event);
                    };
            case Finished _ -> throw new IllegalTransition(job, event);
        };
    }

    /**
     * What must be true outside for this state to be honest. Asked every tick, so a lost call
     * repeats.
     */
    public static Optional<Effect> due(Job job) {
        return switch (job.state()) {
            case Starting starting -> Optional.of(new Effect.Launch(job, starting.attempt()));
            case Stopping stopping ->
                    stopping.reason() instanceof StopReason.Preempted preempted
                                    && preempted.atCheckpoint()
                            ? Optional.empty()
                            : Optional.of(new Effect.Stop(stopping.attempt().id()));
            case Queued _, Running _, Finished _ -> Optional.empty();
        };
    }

    private static Job placed(Job job, AttemptPlaced placed) {
        int number = job.attempts() + 1;
        if (job.isHeld() || placed.attempt().id().number() != number)
            throw new IllegalTransition(job, placed);
        return job.counting(number, job.failures(), job.losses())
                .startedAt(Optional.empty())
                .with(new Starting(placed.attempt(), placed.at(), Map.of()));
    }

    private static Job fromAlive(Job job, Active alive, Event event) {
        return switch (event) {
            case AttemptDecided decided ->
                    stopping(job, alive, new StopReason.Decided(decided.verdict()), decided.at());
            case AttemptEnded ended -> judged(job, alive, ended.verdict(), ended.at());
            case CancelRequested cancel ->
                    stopping(job, alive, new StopReason.Cancelled(cancel.by()), cancel.at());
            case PreemptRequested preempt ->
                    stopping(
                            job,
                            alive,
                            new StopReason.Preempted(
                                    preempt.beneficiary(), preempt.why(), job.stopsAtCheckpoint()),
                            preempt.at());
            case TimeLimitReached reached ->
                    stopping(job, alive, new StopReason.TimeLimit(), reached.at());
            case Submitted _,
                    Released _,
                    Forsaken _,
                    AttemptPlaced _,
                    AttemptStarted _,
                    TasksEnded _,
                    PatienceEnded _,
                    PriorityChanged _,
                    StartPredicted _,
                    Report _ ->
                    throw new IllegalTransition(job, event);
        };
    }

    private static Job stopping(Job job, Active alive, StopReason reason, Instant at) {
        return job.with(new Stopping(alive.attempt(), reason, at, alive.exits()));
    }

    private static Job afterStop(Job job, Stopping stopping, AttemptEnded ended) {
        return switch (stopping.reason()) {
            case StopReason.Cancelled(String by) ->
                    over(job, stopping, Outcome.cancelled(by), ended.at());
            case StopReason.Decided(Verdict verdict) -> judged(job, stopping, verdict, ended.at());
            case StopReason.Preempted preempted ->
                    endedByItself(stopping) && !isObedient(job, preempted, ended.verdict())
                            ? judged(job, stopping, ended.verdict(), ended.at())
                            : queuedAt(preempted(job, stopping, preempted), ended.at(), ended.at());
            case StopReason.TimeLimit _ ->
                    endedByItself(stopping)
                            ? judged(job, stopping, ended.verdict(), ended.at())
                            : over(job, stopping, Outcome.timeLimit(), ended.at());
        };
    }

    /** It was asked to stop at a checkpoint and has ended well, but its epochs are not done. */
    private static boolean isObedient(Job job, StopReason.Preempted preempted, Verdict verdict) {
        return preempted.atCheckpoint()
                && verdict instanceof Verdict.Succeeded
                && job.progress().epochsDone() < job.spec().training().orElseThrow().epochs();
    }

    /** A preemption is a transient end, though no policy is asked about it. */
    private static Job preempted(Job job, Stopping stopping, StopReason.Preempted preempted) {
        Job charged = job.with(job.setbacks().plus(receipt(job, stopping, preempted)));
        return job.spec().retry().isEmpty()
                ? charged
                : charged.with(job.tries().plus(RetryPolicy.Kind.TRANSIENT));
    }

    private static Setbacks.Receipt receipt(
            Job job, Stopping stopping, StopReason.Preempted preempted) {
        return new Setbacks.Receipt(
                stopping.since(),
                preempted.beneficiary(),
                preempted.why(),
                job.atRisk(stopping.since()));
    }

    private static Job hurried(Job job, Stopping stopping, PatienceEnded over) {
        if (!(stopping.reason() instanceof StopReason.Preempted asked && asked.atCheckpoint())) {
            throw new IllegalTransition(job, over);
        }
        return job.with(
                new Stopping(
                        stopping.attempt(),
                        new StopReason.Preempted(asked.beneficiary(), asked.why(), false),
                        over.at(),
                        stopping.exits()));
    }

    /** The order to stop came too late to matter: the work is done, or failed by itself. */
    private static boolean endedByItself(Stopping stopping) {
        var exits = stopping.exits().values();
        return !exits.isEmpty()
                && exits.stream().noneMatch(exit -> exit.stopped() || exit.isLost());
    }

    private static Job over(Job job, Active alive, Outcome outcome, Instant at) {
        return finished(job, outcome, at, Optional.of(alive.attempt()), alive.exits());
    }

    private static Job judged(Job job, Active alive, Verdict verdict, Instant at) {
        Job counted = counted(job, verdict);
        boolean isHopeless = counted.losses() > LOSSES_MAX;
        Optional<RetryPolicy> policy = job.spec().retry();
        if (policy.isPresent() && !isHopeless) {
            return byPolicy(counted, alive, policy.get(), verdict, at);
        }
        return switch (verdict) {
            case Verdict.Succeeded _ -> over(counted, alive, verdict, at);
            case Verdict.Failed _ ->
                    counted.failures() > job.spec().retries()
                            ? over(counted, alive, verdict, at)
                            : queuedAt(counted, at, at.plus(pause(counted.failures())));
            case Verdict.Lost _ ->
                    isHopeless
                            ? over(counted, alive, verdict, at)
                            : queuedAt(counted, at, at.plus(pause(counted.losses())));
        };
    }

    private static Job counted(Job job, Verdict verdict) {
        return switch (verdict) {
            case Verdict.Succeeded _ -> job.counting(job.attempts(), job.failures(), 0);
            case Verdict.Failed _ -> job.counting(job.attempts(), job.failures() + 1, 0);
            case Verdict.Lost _ -> job.counting(job.attempts(), job.failures(), losses(job));
        };
    }

    private static int losses(Job job) {
        if (job.started().isPresent()) return job.losses() + 1;
        return Math.max(job.losses(), Math.min(job.losses() + 1, LOSSES_BEFORE_START_MAX));
    }

    private static Job byPolicy(
            Job job, Active alive, RetryPolicy policy, Verdict verdict, Instant at) {
        RetryPolicy.Kind kind = policy.kind(verdict, alive.exits().values());
        return switch (policy.after(kind, job.tries(), dice(alive.attempt().id()))) {
            case RetryPolicy.Decision.Over() -> over(job, alive, verdict, at);
            case RetryPolicy.Decision.Again(RetryPolicy.Tries tries, Duration asked) -> {
                Duration least = pause(tries.sum());
                Duration pause = asked.compareTo(least) > 0 ? asked : least;
                yield queuedAt(job.with(tries), at, at.plus(pause));
            }
        };
    }

    /** From the attempt's name, so that the same facts give the same pause again. */
    private static double dice(AttemptId attempt) {
        return new SplittableRandom(attempt.toString().hashCode()).nextDouble();
    }

    private static Job over(Job job, Active alive, Verdict verdict, Instant at) {
        return over(
                job,
                alive,
                switch (verdict) {
                    case Verdict.Succeeded _ -> Outcome.succeeded();
                    case Verdict.Failed(int code, String reason) -> Outcome.failed(code, reason);
                    case Verdict.Lost(String reason) ->
                            Outcome.failed(
                                    1, "lost " + job.losses() + " times in a row: " + reason);
                },
                at);
    }

    /**
     * Doubles with each failure, so that a job that cannot start does not take the cluster with it.
     */
    private static Duration pause(int tries) {
        Duration pause = RETRY_PAUSE_FIRST.multipliedBy(1L << Math.min(tries - 1, 10));
        return pause.compareTo(RETRY_PAUSE_MAX) < 0 ? pause : RETRY_PAUSE_MAX;
    }

    private static Job queuedAt(Job job, Instant since, Instant notBefore) {
        return job.with(new Queued(since, notBefore));
    }

    private static Job finished(
            Job job, Outcome outcome, Instant at, Optional<Attempt> last, Map<TaskId, Exit> exits) {
        return job.with(new Finished(outcome, end(job, at, exits), last, exits));
    }

    /** When its last task ended: a server that was away learns of it later. */
    private static Instant end(Job job, Instant noticed, Map<TaskId, Exit> exits) {
        Instant last =
                exits.values().stream().map(Exit::at).max(Instant::compareTo).orElse(noticed);
        Instant start = job.started().orElse(noticed);
        if (!last.isBefore(noticed)) return noticed;
        return last.isBefore(start) ? start : last;
    }

    private static Map<TaskId, Exit> plus(Map<TaskId, Exit> exits, TasksEnded ended) {
        var more = new TreeMap<>(exits);
        ended.exits()
                .forEach(
                        (task, exit) -> {
                            if (more.putIfAbsent(task, exit) != null) {
                                throw new IllegalStateException(
                                        task + " of " + ended.attempt() + " ended twice");
                            }
                        });
        return more;
    }
}
