package fairlead.journals.sql;

import fairlead.journal.JournalException;

import java.sql.Connection;
import java.sql.SQLException;

/** What differs between the databases that a journal is kept in. Any thread may ask. */
public interface Database {
    /**
     * A new connection that only reads, and whose transactions each see one state of the journal.
     */
    Connection reader() throws SQLException;

    /** What a query says to walk this index; empty where the database finds it by itself. */
    String indexedBy(String index);

    /** Whether a row may have this text. */
    boolean canHold(String text);

    /** What an error means to whoever runs the server. */
    JournalException told(SQLException cause);

    /**
     * Whether the connection has ended, which says nothing about the next one: a database may have
     * been restarted meanwhile.
     */
    boolean isGone(SQLException cause);

    /** Whether what was to be kept contradicts what is kept already. */
    boolean isConstraint(SQLException cause);
}
