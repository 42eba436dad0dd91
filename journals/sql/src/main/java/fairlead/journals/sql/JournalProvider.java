package fairlead.journals.sql;

import fairlead.journal.JournalException;

/**
 * Opens journals that several servers may share, of one kind. It lies in a folder of its own, where
 * a server finds it as a service when its settings name such a journal; no other server loads it.
 */
public interface JournalProvider {
    /** What addresses of its journals begin with, such as {@code postgres}. */
    String scheme();

    /** The lease of the journal at this address, which must be reachable now. */
    Lease lease(String address) throws JournalException;
}
