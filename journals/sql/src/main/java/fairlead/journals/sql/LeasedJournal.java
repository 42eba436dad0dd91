package fairlead.journals.sql;

import fairlead.journal.JournalException;

/**
 * A journal of the server that has its lease. Each write checks in its own transaction that the
 * epoch is still this server's, so one that was paused cannot write after another has taken over.
 */
public abstract class LeasedJournal extends SqlJournal {
    protected LeasedJournal(Database database, Writer writer) {
        super(database, writer);
    }

    public abstract long epoch();

    /**
     * Whether no other server can have the lease yet, by this machine's clock. What is done outside
     * of the journal, where nothing checks the epoch, is done only then.
     */
    public abstract boolean isHeld();

    /** Tells those that stand by where this server listens. */
    public abstract void announce(String url) throws JournalException;

    /** What the journal takes on the disks of its database. */
    public abstract long bytes() throws JournalException;

    /** Without the password. */
    public abstract String address();
}
