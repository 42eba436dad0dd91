package fairlead.server.runtime;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.journal.Fact;
import fairlead.journal.ForwardingJournal;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;

import java.util.Collection;
import java.util.List;

/**
 * A journal that notifies its listeners of jobs that have finished or were deleted, once that is
 * durable.
 */
public final class NotifyingJournal extends ForwardingJournal {
    private volatile List<Listener> listeners = List.of();

    /** Called by the committing thread, which it must not hold up. */
    public interface Listener {
        void finished(Job job);

        void deleted(JobId job);
    }

    public NotifyingJournal(Journal real) {
        super(real);
    }

    /** From now on. */
    public void listen(Listener... all) {
        listeners = List.of(all);
    }

    @Override
    public void commit(List<Fact> facts, Collection<Job> changed) throws JournalException {
        super.commit(facts, changed);
        for (Job job : changed) {
            if (!job.isFinished()) continue;
            for (Listener each : listeners) each.finished(job);
        }
    }

    @Override
    public void delete(Collection<JobId> jobs) throws JournalException {
        super.delete(jobs);
        for (JobId job : jobs) {
            for (Listener each : listeners) each.deleted(job);
        }
    }
}
