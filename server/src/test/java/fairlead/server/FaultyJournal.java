package fairlead.server;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.journal.Fact;
import fairlead.journal.FinishedQuery;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A journal whose commits fail while a test says so. */
final class FaultyJournal implements Journal {
    private final Journal inner;
    private volatile String trouble;

    FaultyJournal(Journal inner) {
        this.inner = inner;
    }

    /** Commits fail from now on with these words; null ends that. */
    void fail(String words) {
        trouble = words;
    }

    @Override
    public void commit(List<Fact> facts, Collection<Job> changed) throws JournalException {
        check();
        inner.commit(facts, changed);
    }

    @Override
    public void delete(Collection<JobId> jobs) throws JournalException {
        check();
        inner.delete(jobs);
    }

    private void check() throws JournalException {
        String words = trouble;
        if (words != null) throw new JournalException(words, null);
    }

    @Override
    public List<Job> unfinished() throws JournalException {
        return inner.unfinished();
    }

    @Override
    public Optional<Job> find(JobId job) throws JournalException {
        return inner.find(job);
    }

    @Override
    public List<JobId> endingWith(String suffix, int max) throws JournalException {
        return inner.endingWith(suffix, max);
    }

    @Override
    public List<Job> finished(FinishedQuery query) throws JournalException {
        return inner.finished(query);
    }

    @Override
    public List<JobId> madeBy(String request) throws JournalException {
        return inner.madeBy(request);
    }

    @Override
    public List<Fact> history(JobId job) throws JournalException {
        return inner.history(job);
    }

    @Override
    public List<JobId> finishedBefore(Instant time, int max) throws JournalException {
        return inner.finishedBefore(time, max);
    }

    @Override
    public Map<String, Long> finishedCounts() throws JournalException {
        return inner.finishedCounts();
    }

    @Override
    public void close() {
        inner.close();
    }
}
