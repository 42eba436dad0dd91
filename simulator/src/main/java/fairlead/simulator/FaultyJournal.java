package fairlead.simulator;

import fairlead.job.Job;
import fairlead.journal.Fact;
import fairlead.journal.ForwardingJournal;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;

/** A journal whose disk is sometimes full, and whose server sometimes dies while it writes. */
final class FaultyJournal extends ForwardingJournal {
    private final Faults faults;
    private final SplittableRandom dice;

    /** The server dies here. */
    static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    FaultyJournal(Journal real, Faults faults, SplittableRandom dice) {
        super(real);
        this.faults = faults;
        this.dice = dice;
    }

    @Override
    public void commit(List<Fact> facts, Collection<Job> changed) throws JournalException {
        if (hits(faults.failedCommit()))
            throw new JournalException("disk full", new IOException("simulated"));
        if (hits(faults.crash())) throw new Crash();
        super.commit(facts, changed);
        if (hits(faults.crash())) throw new Crash();
    }

    private boolean hits(int chance) {
        return dice.nextInt(1_000) < chance;
    }
}
