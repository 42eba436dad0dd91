package fairlead.simulator;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.journal.Fact;
import fairlead.journal.FinishedQuery;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;

import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** A journal whose disk is sometimes full, and whose server sometimes dies while it writes. */
final class FaultyJournal implements Journal {
    private final Journal real;
    private final Faults faults;
    private final SplittableRandom dice;

    /** The server dies here. */
    static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    FaultyJournal(Journal real, Faults faults, SplittableRandom dice) {
        this.real = real;
        this.faults = faults;
        this.dice = dice;
    }

    @Override
    public void commit(List<Fact> facts, Collection<Job> changed) throws JournalException {
        if (dice.nextInt(1_000) < faults.failedCommit()) {
            throw new JournalException("disk full", new IOException("simulated"));
        }
        if (dice.nextInt(1_000) < faults.crash()) throw new Crash();
        real.commit(facts, changed);
        if (dice.nextInt(1_000) < faults.crash()) throw new Crash();
    }

    @Override
    public void delete(Collection<JobId> jobs) throws JournalException {
        real.delete(jobs);
    }

    @Override
    public List<Job> unfinished() throws JournalException {
        return real.unfinished();
    }

    @Override
    public Optional<Job> find(JobId job) throws JournalException {
        return real.find(job);
    }

    @Override
    public List<JobId> endingWith(String suffix, int max) throws JournalException {
        return real.endingWith(suffix, max);
    }

    @Override
    public List<Job> finished(FinishedQuery query) throws JournalException {
        return real.finished(query);
    }

    @Override
    public List<JobId> madeBy(String request) throws JournalException {
        return real.madeBy(request);
    }

    @Override
    public List<Fact> history(JobId job) throws JournalException {
        return real.history(job);
    }

    @Override
    public List<JobId> finishedBefore(Instant time, int max) throws JournalException {
        return real.finishedBefore(time, max);
    }

    @Override
    public Map<String, Long> finishedCounts() throws JournalException {
        return real.finishedCounts();
    }

    @Override
    public void close() {
        real.close();
    }
}
