package fairlead.job;

import java.time.Instant;
import java.util.Optional;

/**
 * A job as it stands: what was asked, by whom, and how far it has come.
 *
 * @param request the client's name for the request that made it; the same request never makes it
 *     twice
 * @param array the array it belongs to, if any
 * @param attempts how many were placed so far
 * @param failures attempts that failed by their own fault; these use up retries
 * @param losses attempts lost in a row through no fault of the job
 */
public record Job(
        JobId id,
        JobSpec spec,
        String owner,
        Instant submitted,
        Optional<String> request,
        Optional<ArrayPlace> array,
        JobState state,
        int attempts,
        int failures,
        int losses) {

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
                id, spec, owner, now, request, array, new JobState.Queued(now, Instant.EPOCH), 0, 0, 0);
    }

    public boolean isFinished() {
        return state instanceof JobState.Finished;
    }

    Job with(JobState next) {
        return new Job(
                id, spec, owner, submitted, request, array, next, attempts, failures, losses);
    }

    Job counting(int attempts, int failures, int losses) {
        return new Job(
                id, spec, owner, submitted, request, array, state, attempts, failures, losses);
    }
}
