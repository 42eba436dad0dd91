package fairlead.journals.sqlite;

import static java.lang.System.Logger.Level.WARNING;

import fairlead.journal.JournalException;
import fairlead.journals.sql.Writer;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The one connection that changes the journal. Transactions are begun and committed by hand: the
 * driver's own begin the next one at once, and would keep the lock.
 */
final class SqliteWriter extends Writer {
    private static final System.Logger LOG = System.getLogger(SqliteWriter.class.getName());

    private final Connection connection;
    private final boolean isNew;

    /** Null after a failure, which leaves the driver's statements unusable. */
    private PreparedStatement begin;

    private PreparedStatement commit;

    private SqliteWriter(JournalFile file, Connection connection, boolean isNew) {
        super(file);
        this.connection = connection;
        this.isNew = isNew;
    }

    /**
     * @param mayBeNew whether a file without tables gets them; otherwise it gives nothing
     */
    static Optional<SqliteWriter> open(JournalFile file, Schema schema, boolean mayBeNew)
            throws JournalException {
        Connection connection = null;
        try {
            connection = file.writer();
            boolean isNew = Schema.isEmpty(connection);
            if (isNew && !mayBeNew) {
                connection.close();
                return Optional.empty();
            }
            schema.bringUp(connection, file.path());
            return Optional.of(new SqliteWriter(file, connection, isNew));
        } catch (SQLException e) {
            close(connection, e);
            throw file.told(e);
        } catch (JournalException e) {
            close(connection, e);
            throw e;
        }
    }

    /** Whether the file had no tables when it was opened. */
    boolean isNew() {
        return isNew;
    }

    private static void close(Connection connection, Exception cause) {
        try {
            if (connection != null) connection.close();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    @Override
    protected Connection connection() {
        return connection;
    }

    @Override
    protected void begin() throws SQLException {
        if (begin == null) begin = connection.prepareStatement("BEGIN IMMEDIATE");
        if (commit == null) commit = connection.prepareStatement("COMMIT");
        begin.execute();
    }

    @Override
    protected void commit() throws SQLException {
        commit.execute();
    }

    @Override
    protected void rollBack() {
        close(begin);
        close(commit);
        begin = null;
        commit = null;
        Schema.rollBack(connection);
    }

    private static void close(PreparedStatement broken) {
        try {
            if (broken != null) broken.close();
        } catch (SQLException _) {
            // The driver has closed it itself.
        }
    }

    /** SQLite takes the number above the largest. */
    @Override
    protected void numberOn(Connection filled) {}

    @Override
    public synchronized void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.log(
                    WARNING,
                    "the journal did not close cleanly; nothing is lost: {0}",
                    e.getMessage());
        }
    }
}
