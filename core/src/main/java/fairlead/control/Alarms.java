package fairlead.control;

import fairlead.cluster.Rules;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.StopReason;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * When time alone may change a job: a backoff, a time limit or the patience for a checkpoint ends.
 * Alarms go stale and are checked when they come up. For the loop alone, but for {@link
 * #uncounted}.
 */
final class Alarms {
    /** Alarms of ended jobs are dropped in bulk once they are so many more than jobs. */
    private static final int STALE_MAX = 10_000;

    private final Map<JobId, Job> jobs;
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();

    /**
     * What the time limits of attempts that an earlier server began do not count. Fixed after the
     * start.
     */
    private final Map<AttemptId, Duration> uncounted = new HashMap<>();

    private record Alarm(Instant at, JobId job) implements Comparable<Alarm> {
        @Override
        public int compareTo(Alarm other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : job.compareTo(other.job);
        }
    }

    /**
     * @param jobs all unfinished ones, as they are published
     */
    Alarms(Map<JobId, Job> jobs) {
        this.jobs = jobs;
    }

    /** For the start: the time limit of an attempt that runs does not count this time. */
    void discount(AttemptId attempt, Duration span) {
        if (!span.isZero()) uncounted.put(attempt, span);
    }

    /** Of running attempts: what their time limits do not count. Any thread. */
    Map<AttemptId, Duration> uncounted() {
        var still = new HashMap<AttemptId, Duration>();
        uncounted.forEach(
                (attempt, span) -> {
                    Job job = jobs.get(attempt.job());
                    if (job != null
                            && job.state() instanceof JobState.Running running
                            && running.attempt().id().equals(attempt)) still.put(attempt, span);
                });
        return still;
    }

    void clear() {
        alarms.clear();
    }

    void set(Job job, Rules rules, Instant now) {
        if (alarms.size() > STALE_MAX + 2 * jobs.size()) dropStale();
        switch (job.state()) {
            case JobState.Queued queued -> {
                if (!queued.isHeld() && queued.notBefore().isAfter(now))
                    alarms.add(new Alarm(queued.notBefore(), job.id()));
            }
            case JobState.Running running ->
                    limitEnd(job, running, rules)
                            .map(end -> new Alarm(end, job.id()))
                            .ifPresent(alarms::add);
            case JobState.Stopping stopping -> {
                if (isAsked(stopping)) alarms.add(new Alarm(patienceEnd(job, stopping), job.id()));
            }
            case JobState.Starting _, JobState.Finished _ -> {}
        }
    }

    /** Those of jobs that have ended; the others keep theirs. */
    private void dropStale() {
        alarms.removeIf(alarm -> !jobs.containsKey(alarm.job()));
    }

    /** Lets the draft do what is due by now. */
    void ring(Draft draft, Controller controller, Rules rules, Instant now) {
        while (!alarms.isEmpty() && !alarms.peek().at().isAfter(now)) {
            Optional<Job> job = draft.current(alarms.poll().job());
            if (job.isEmpty()) continue;
            switch (job.get().state()) {
                case JobState.Queued _ -> controller.state(job.get()).touch();
                case JobState.Running running -> {
                    Optional<Instant> end = limitEnd(job.get(), running, rules);
                    if (end.isPresent() && !end.get().isAfter(now)) {
                        draft.apply(
                                job.get(), new Event.TimeLimitReached(now, running.attempt().id()));
                    }
                }
                case JobState.Stopping stopping -> {
                    if (!isAsked(stopping)) continue;
                    Instant end = patienceEnd(job.get(), stopping);
                    if (end.isAfter(now)) alarms.add(new Alarm(end, job.get().id()));
                    else {
                        draft.apply(
                                job.get(), new Event.PatienceEnded(now, stopping.attempt().id()));
                    }
                }
                case JobState.Starting _, JobState.Finished _ -> {}
            }
        }
    }

    Optional<Instant> next() {
        return Optional.ofNullable(alarms.peek()).map(Alarm::at);
    }

    private Optional<Instant> limitEnd(Job job, JobState.Running running, Rules rules) {
        Duration span = uncounted.getOrDefault(running.attempt().id(), Duration.ZERO);
        return rules.timeLimit(job).map(limit -> running.since().plus(limit).plus(span));
    }

    private static boolean isAsked(JobState.Stopping stopping) {
        return stopping.reason() instanceof StopReason.Preempted preempted
                && preempted.atCheckpoint();
    }

    private static Instant patienceEnd(Job job, JobState.Stopping stopping) {
        return stopping.since().plus(job.patience());
    }
}
