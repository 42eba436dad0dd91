package fairlead.journals.sql;

import fairlead.journal.JournalException;

import java.util.Optional;

/**
 * The right to write into a journal that servers share. One of them has it at a time, for a few
 * seconds from each of its writes; the epoch counts the holders. The database's clock decides, so
 * those of the servers may say what they like. For one thread.
 */
public interface Lease extends AutoCloseable {
    /**
     * Who has it.
     *
     * @param url where it serves; empty while it is starting
     */
    record Leader(long epoch, String name, Optional<String> url) {}

    /**
     * Who wants it.
     *
     * @param name for people, such as the machine and the process
     * @param home the mark of the home folder whose tasks of this machine the journal tells of;
     *     empty where a server has no such tasks
     * @param secret the mark of what the keys of jobs are derived from
     */
    record Candidate(String name, Optional<String> home, String secret) {}

    /** Empty where nobody has it. */
    Optional<Leader> leader() throws JournalException;

    /**
     * Takes the lease and opens the journal. Empty while another has it. A candidate whose home or
     * secret are not those of the journal is refused.
     *
     * @param lost called once, by any thread, when another has taken it: nothing can be written
     *     from then on
     */
    Optional<LeasedJournal> take(Candidate candidate, Runnable lost) throws JournalException;

    @Override
    void close();
}
