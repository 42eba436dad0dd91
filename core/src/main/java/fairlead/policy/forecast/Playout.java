package fairlead.policy.forecast;

import fairlead.cluster.ClusterState;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Endpoints;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Profile;
import fairlead.job.Setup;
import fairlead.job.StopReason;
import fairlead.job.Verdict;
import fairlead.policy.Plan;
import fairlead.policy.PlanCheck;
import fairlead.policy.Policy;
import fairlead.policy.elastic.Elastic;
import fairlead.policy.fair.Candidates;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A cluster played forward by its own policy: it plans at each expected end of a job, at each stop,
 * and when time alone would change its plan, and what it plans is done. Nobody new comes, and
 * nothing fails. Used once, by one thread.
 */
final class Playout {
    /** A job that is asked to stop and has no checkpoint to reach ends about so much later. */
    private static final Duration STOP = Duration.ofSeconds(2);

    /** Reports that change nothing come ever more seldom, so that a day does not take all plans. */
    private static final Duration DOZE_FIRST = Duration.ofSeconds(5);

    private static final Duration DOZE_MAX = Duration.ofHours(1);

    /** Each is a plan: of more who are young than these, only those who are so shortest count. */
    private static final int YOUNG_MAX = 20;

    /** Further than this nobody plans. */
    private static final Duration HORIZON = Duration.ofDays(365);

    /** How long jobs go on. */
    interface Lives {
        /** What a job that runs has left, from the view's time on. */
        Duration left(Job job, View view);
    }

    /** A waiting job's first start. */
    record Begin(Instant at, Placement placement) {}

    /**
     * How a job that was active in the beginning left its place.
     *
     * @param asked when it was asked to stop, and for whom; empty where it ended by itself
     */
    record Leave(Instant at, Optional<Instant> asked, Optional<JobId> beneficiary) {}

    private record Due(Instant at, AttemptId attempt) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : attempt.compareTo(other.attempt);
        }
    }

    private final View view;
    private final Policy policy;
    private final Lives lives;
    private final ClusterState state;
    private final boolean isSizing;
    private final Map<JobId, Job> jobs = new HashMap<>();
    private final Set<JobId> activeAtFirst = new HashSet<>();
    private final PriorityQueue<Due> ends = new PriorityQueue<>();
    private final PriorityQueue<Instant> pauses = new PriorityQueue<>();
    private final PriorityQueue<Instant> wakes = new PriorityQueue<>();
    private final Map<JobId, Begin> begins = new HashMap<>();
    private final Map<JobId, Leave> leaves = new HashMap<>();
    private Instant now;
    private Duration doze = DOZE_FIRST;
    private int plans;
    private boolean isOver;

    Playout(View view, Policy policy, Lives lives) {
        this.view = view;
        this.policy = policy;
        this.lives = lives;
        this.state = ClusterState.of(view);
        this.isSizing = isSizing(view, policy);
        this.now = view.now();
        for (Job job : view.active()) {
            jobs.put(job.id(), job);
            activeAtFirst.add(job.id());
            expect(job);
        }
        if (isSizing) wakeForTheYoung();
        Forecast.waiting(view)
                .forEach(
                        (id, job) -> {
                            jobs.put(id, job);
                            Instant pause = ((JobState.Queued) job.state()).notBefore();
                            if (pause.isAfter(now)) pauses.add(pause);
                        });
    }

    /** A policy that wakes every minute does not say when somebody may be asked to stop. */
    private void wakeForTheYoung() {
        view.active().stream()
                .filter(job -> job.spec().gpus() > 0)
                .map(job -> ((JobState.Active) job.state()).since())
                .map(since -> since.plus(view.rules().undisturbed()))
                .filter(end -> end.isAfter(now))
                .sorted()
                .distinct()
                .limit(YOUNG_MAX)
                .forEach(wakes::add);
    }

    /** Whether it has training jobs to find sizes for, which takes more plans, and longer ones. */
    static boolean isSizing(View view, Policy policy) {
        return policy.resizes()
                && Stream.concat(
                                view.active().stream(),
                                view.queues().stream().flatMap(queue -> queue.gpuJobs().stream()))
                        .anyMatch(job -> job.spec().training().isPresent());
    }

    /** Until all of these have started, or nothing happens any more, or so many plans are made. */
    void run(Set<JobId> awaited, int plansMax) {
        var still = new HashSet<>(awaited);
        while (plans < plansMax) {
            plans++;
            View seen = state.view(now);
            Plan plan = policy.plan(seen);
            if (PlanCheck.problem(plan, seen, id -> Optional.ofNullable(jobs.get(id))).isPresent())
                return;
            carryOut(plan);
            plan.starts().forEach(start -> still.remove(start.job()));
            if (still.isEmpty()) return;
            boolean isIdle = plan.starts().isEmpty() && plan.preempts().isEmpty();
            Optional<Instant> next = next(plan, isIdle);
            isOver = next.isEmpty() || next.get().isAfter(view.now().plus(HORIZON));
            if (isOver) return;
            now = next.get();
            settle();
        }
    }

    /** By job; who has not started in so many plans is not there. */
    Map<JobId, Begin> begins() {
        return begins;
    }

    Map<JobId, Leave> leaves() {
        return leaves;
    }

    /** As it stands in the end. */
    View view() {
        return state.view(now);
    }

    /** Whether nothing happens any more: who has not started by then never does. */
    boolean isOver() {
        return isOver;
    }

    int plans() {
        return plans;
    }

    private Optional<Instant> next(Plan plan, boolean isIdle) {
        plan.wake().filter(this::isWorthWaking).ifPresent(wakes::add);
        while (!wakes.isEmpty() && !wakes.element().isAfter(now)) wakes.remove();
        doze = isIdle ? longer(doze) : DOZE_FIRST;
        // Training jobs report so often that a policy that sizes them hardly ever sleeps.
        Instant report = isSizing ? now.plus(doze) : Instant.MAX;
        Instant end = ends.isEmpty() ? Instant.MAX : ends.element().at();
        Instant pause = pauses.isEmpty() ? Instant.MAX : pauses.element();
        Instant wake = wakes.isEmpty() ? Instant.MAX : wakes.element();
        Instant next = Collections.min(List.of(report, end, pause, wake));
        // With nobody there, nothing is reported.
        boolean isOver = ends.isEmpty() && pauses.isEmpty() && wakes.isEmpty();
        return isOver ? Optional.empty() : Optional.of(next.isBefore(now) ? now : next);
    }

    /**
     * Whoever sizes jobs thinks again every minute: that is what reports stand for. Any other time
     * is one at which something changes, such as the end of somebody's undisturbed time.
     */
    private boolean isWorthWaking(Instant wake) {
        boolean isRound = isSizing && wake.equals(now.plus(Elastic.ROUND));
        return wake.isAfter(now) && !isRound;
    }

    private static Duration longer(Duration doze) {
        Duration twice = doze.multipliedBy(2);
        return twice.compareTo(DOZE_MAX) < 0 ? twice : DOZE_MAX;
    }

    private void carryOut(Plan plan) {
        for (Plan.Start start : plan.starts()) start(start);
        for (Plan.Preempt preempt : plan.preempts()) {
            Job job = jobs.get(preempt.victim());
            AttemptId attempt = ((JobState.Active) job.state()).attempt().id();
            Job asked =
                    change(
                            job,
                            new Event.PreemptRequested(
                                    now, attempt, preempt.beneficiary(), preempt.why()));
            expect(asked);
        }
    }

    private void start(Plan.Start start) {
        Job job = jobs.get(start.job());
        begins.putIfAbsent(job.id(), new Begin(now, start.placement()));
        var attempt = new Attempt(new AttemptId(job.id(), job.attempts() + 1), start.placement());
        Job placed = change(job, new Event.AttemptPlaced(now, attempt));
        Job runs = change(placed, new Event.AttemptStarted(now, attempt.id(), Endpoints.NONE));
        // A script that has reported once will do so again.
        if (runs.spec().training().isPresent() && runs.progress().attempt() > 0)
            runs = change(runs, new Event.TrainingJoined(now, attempt.id()));
        expect(runs);
    }

    private Job change(Job before, Event event) {
        Job after = JobMachine.next(before, event);
        jobs.put(after.id(), after);
        state.change(Optional.of(before), Optional.of(after));
        return after;
    }

    private void expect(Job job) {
        var active = (JobState.Active) job.state();
        ends.add(new Due(now.plus(left(job, active)), active.attempt().id()));
    }

    private Duration left(Job job, JobState.Active active) {
        if (active instanceof JobState.Stopping stopping) {
            boolean isSaving =
                    stopping.reason() instanceof StopReason.Preempted asked && asked.atCheckpoint();
            return isSaving ? saving(job) : stopping(Duration.between(stopping.since(), now));
        }
        Duration left = lives.left(job, view.at(now));
        Optional<Duration> limit =
                view.rules()
                        .timeLimit(job)
                        .map(most -> most.minus(Duration.between(active.since(), now)));
        Duration least = limit.isPresent() && limit.get().compareTo(left) < 0 ? limit.get() : left;
        return least.isNegative() ? Duration.ZERO : least;
    }

    /** One that does not obey at once takes its whole grace. */
    private Duration stopping(Duration since) {
        Duration left = view.rules().stopGrace().minus(since);
        return since.compareTo(STOP) > 0 && left.compareTo(STOP) > 0 ? left : STOP;
    }

    private Duration saving(Job job) {
        Duration since = job.atRisk(now);
        // One that saves inside its epochs does so again after about as long.
        Duration left =
                job.progress().fraction() > 0
                        ? since
                        : Candidates.untilCheckpoint(job, since, view);
        return left.compareTo(job.patience()) < 0 ? left : job.patience();
    }

    /** Lets happen what is due by now. */
    private void settle() {
        while (!pauses.isEmpty() && !pauses.element().isAfter(now)) pauses.remove();
        for (Job job : state.active()) train(job);
        while (!ends.isEmpty() && !ends.element().at().isAfter(now)) {
            AttemptId attempt = ends.remove().attempt();
            Job job = jobs.get(attempt.job());
            boolean isCurrent =
                    job != null
                            && job.state() instanceof JobState.Active active
                            && active.attempt().id().equals(attempt);
            if (isCurrent) end(job, attempt);
        }
    }

    private void end(Job job, AttemptId attempt) {
        boolean isStopped = job.state() instanceof JobState.Stopping;
        if (activeAtFirst.contains(job.id())) leaves.putIfAbsent(job.id(), leave(job));
        Verdict verdict = isStopped ? new Verdict.Lost("stopped in play") : new Verdict.Succeeded();
        Job after = change(job, new Event.AttemptEnded(now, attempt, verdict));
        if (after.isFinished()) jobs.remove(after.id());
        else if (((JobState.Queued) after.state()).notBefore().isAfter(now))
            pauses.add(((JobState.Queued) after.state()).notBefore());
    }

    private Leave leave(Job job) {
        if (!(job.state() instanceof JobState.Stopping stopping))
            return new Leave(now, Optional.empty(), Optional.empty());
        return new Leave(
                now,
                Optional.of(stopping.since()),
                stopping.reason() instanceof StopReason.Preempted preempted
                        ? Optional.of(preempted.beneficiary())
                        : Optional.empty());
    }

    /** Its epochs end as fast as they were measured, so that a stop loses only the last one. */
    private void train(Job job) {
        if (!(job.state() instanceof JobState.Running running) || job.spec().training().isEmpty())
            return;
        Optional<Profile.Speed> speed =
                view.foresight().speed(job, Setup.alone(running.attempt().placement()));
        if (speed.isEmpty() || !job.stopsAtCheckpoint()) return;
        Instant from =
                job.progress().safe().filter(running.since()::isBefore).orElse(running.since());
        long epoch = Math.max(1, (long) (speed.get().epochSeconds() * 1_000));
        long more = Duration.between(from, now).toMillis() / epoch;
        int left = job.spec().training().get().epochs() - 1 - job.progress().epochsDone();
        int done = (int) Math.min(more, left);
        if (done <= 0) return;
        var last =
                new Profile.Epoch(
                        job.progress().epochsDone() + done,
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        0);
        change(
                job,
                new Event.EpochEnded(from.plusMillis(epoch * more), running.attempt().id(), last));
    }
}
