package fairlead.server.history;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.journal.FinishedQuery;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The finished jobs of a journal, the newest first, read page by page. */
final class FinishedJobs {
    private static final int PAGE = 1_000;

    private FinishedJobs() {}

    /** What is done with each of them. */
    interface Taker {
        void take(Job job, Instant end) throws JournalException;
    }

    /**
     * Gives those that ended after a moment.
     *
     * @param most how many jobs are looked at; whole pages of them
     * @return whether these were all
     */
    static boolean since(Instant from, Journal journal, int most, Taker taker)
            throws JournalException {
        Optional<JobId> before = Optional.empty();
        for (int looked = 0; looked < most; looked += PAGE) {
            List<Job> page = journal.finished(FinishedQuery.all(before, PAGE));
            for (Job job : page) {
                Instant end = ((JobState.Finished) job.state()).at();
                if (end.isAfter(from)) taker.take(job, end);
            }
            if (page.size() < PAGE) return true;
            before = Optional.of(page.getLast().id());
        }
        return false;
    }
}
