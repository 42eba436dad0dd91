package fairlead.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A job as it stands: what was asked, by whom, and how far it has come.
 *
 * @param request the client's name for the request that made it; the same request never makes it
 *     twice
 * @param array the array it belongs to, if any
 * @param priority among the owner's jobs; at first the spec's, then as people change it
 * @param attempts how many were placed so far
 * @param failures attempts that failed by their own fault; these use up retries
 * @param losses attempts lost in a row through no fault of the job
 * @param started when the current or last attempt began to run
 * @param prediction when it was told that it would start, if it had to wait
 * @param served how long its attempts ran before this one, each until it ended or was told to stop
 */
public record Job(
        JobId id,
        JobSpec spec,
        String owner,
        Instant submitted,
        Optional<String> request,
        Optional<ArrayPlace> array,
        int priority,
        JobState state,
        int attempts,
        int failures,
        int losses,
        Optional<Instant> started,
        Optional<Prediction> prediction,
        Duration served) {

    /** Where a job stands in an array: the array's id, shared by its jobs, and this one's index. */
    public record ArrayPlace(String array, int index) {}

    public static Job submitted(
            JobId id,
            JobSpec spec,
            String owner,
            Instant now,
            Optional<String> request,
            Optional<ArrayPlace> array) {
        return new Job(
                id,
                spec,
                owner,
                now,
                request,
                array,
                spec.priority(),
                new JobState.Queued(now, Instant.EPOCH),
                0,
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO);
    }

    public boolean isFinished() {
        return state instanceof JobState.Finished;
    }

    /** How long it has run until now, all attempts together. */
    public Duration served(Instant now) {
        return state instanceof JobState.Running running
                ? served.plus(since(running, now))
                : served;
    }

    /** The same job if it had asked for something else. */
    public Job asking(JobSpec other) {
        return copy(
                other, priority, state, attempts, failures, losses, started, prediction, served);
    }

    /** The job after it has left this state at that time. */
    Job after(JobState.Running running, Instant at) {
        return copy(
                spec,
                priority,
                state,
                attempts,
                failures,
                losses,
                started,
                prediction,
                served.plus(since(running, at)));
    }

    /** Never negative: the clock may have been set back while the server was down. */
    private static Duration since(JobState.Running running, Instant now) {
        return now.isAfter(running.since())
                ? Duration.between(running.since(), now)
                : Duration.ZERO;
    }

    Job with(JobState next) {
        return copy(spec, priority, next, attempts, failures, losses, started, prediction, served);
    }

    Job counting(int attempts, int failures, int losses) {
        return copy(spec, priority, state, attempts, failures, losses, started, prediction, served);
    }

    Job startedAt(Optional<Instant> start) {
        return copy(spec, priority, state, attempts, failures, losses, start, prediction, served);
    }

    Job withPriority(int changed) {
        return copy(spec, changed, state, attempts, failures, losses, started, prediction, served);
    }

    Job predicted(Optional<Prediction> changed) {
        return copy(spec, priority, state, attempts, failures, losses, started, changed, served);
    }

    private Job copy(
            JobSpec spec,
            int priority,
            JobState state,
            int attempts,
            int failures,
            int losses,
            Optional<Instant> started,
            Optional<Prediction> prediction,
            Duration served) {
        return new Job(
                id,
                spec,
                owner,
                submitted,
                request,
                array,
                priority,
                state,
                attempts,
                failures,
                losses,
                started,
                prediction,
                served);
    }
}
