package fairlead.server;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.journal.Fact;
import fairlead.journal.ForwardingJournal;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;

import java.util.Collection;
import java.util.List;

/** A journal whose commits fail while a test says so. */
final class FaultyJournal extends ForwardingJournal {
    private volatile String trouble;

    FaultyJournal(Journal inner) {
        super(inner);
    }

    /** Commits fail from now on with these words; null ends that. */
    void fail(String words) {
        trouble = words;
    }

    @Override
    public void commit(List<Fact> facts, Collection<Job> changed) throws JournalException {
        check();
        super.commit(facts, changed);
    }

    @Override
    public void delete(Collection<JobId> jobs) throws JournalException {
        check();
        super.delete(jobs);
    }

    private void check() throws JournalException {
        String words = trouble;
        if (words != null) throw new JournalException(words, null);
    }
}
