package fairlead.journal;

import fairlead.job.JobId;

import java.util.Optional;

/**
 * Which finished jobs to show.
 *
 * @param word only those in this state, such as {@code failed}
 * @param before only those submitted before this job, for paging; an unknown job gives none
 * @param arraysOnce whether of the jobs of an array that fit only the newest is wanted
 */
public record FinishedQuery(
        Optional<String> owner,
        Optional<String> word,
        Optional<String> array,
        Optional<JobId> before,
        boolean arraysOnce,
        int max) {
    /** Each job of an array by itself. */
    public FinishedQuery(
            Optional<String> owner,
            Optional<String> word,
            Optional<String> array,
            Optional<JobId> before,
            int max) {
        this(owner, word, array, before, false, max);
    }

    /** A page of all of them. */
    public static FinishedQuery all(Optional<JobId> before, int max) {
        return new FinishedQuery(Optional.empty(), Optional.empty(), Optional.empty(), before, max);
    }
}
