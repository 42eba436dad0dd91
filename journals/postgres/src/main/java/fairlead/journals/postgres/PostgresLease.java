package fairlead.journals.postgres;

import fairlead.journal.JournalException;
import fairlead.journals.sql.Lease;
import fairlead.journals.sql.LeasedJournal;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** The one row of the table lease. Its times are those of the database's clock. */
final class PostgresLease implements Lease {
    /**
     * So long after its last write a server that no longer renews keeps the lease. Short enough
     * that a standby leads within ten seconds, long enough for a busy machine's pauses.
     */
    static final Duration SPAN = Duration.ofSeconds(5);

    static final String EXTENDED =
            "until = clock_timestamp() + interval '" + SPAN.toMillis() + " milliseconds'";

    private static final String LOOK =
            "SELECT epoch, holder, url, until > clock_timestamp(), home, secret, version FROM"
                    + " lease";

    /** Others wait here for each other, and find the row changed. */
    private static final String LOOK_ALONE = LOOK + " FOR UPDATE";

    private static final String TAKE =
            "UPDATE lease SET epoch = ?, holder = ?, url = NULL, commits = 0, home = coalesce(?,"
                    + " home), secret = ?, "
                    + EXTENDED;

    private final PostgresDatabase database;

    /** Null after a failure: the next question asks for a new one. */
    private Connection connection;

    private PostgresLease(PostgresDatabase database) {
        this.database = database;
    }

    static PostgresLease open(PostgresDatabase database) throws JournalException {
        var lease = new PostgresLease(database);
        try {
            lease.inTransaction(
                    connection -> {
                        refuseForgetful(connection, database);
                        Schema.bringLease(connection);
                        return true;
                    });
        } catch (JournalException e) {
            lease.close();
            throw e;
        }
        return lease;
    }

    /** What is acknowledged must survive a power cut. */
    private static void refuseForgetful(Connection connection, PostgresDatabase database)
            throws SQLException, JournalException {
        try (var statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW fsync")) {
            row.next();
            if (row.getString(1).equals("off"))
                throw new JournalException(
                        "the journal's database has fsync = off and would lose jobs in a power cut;"
                                + " switch it on: "
                                + database.address());
        }
    }

    private record Row(
            Leader leader, boolean isHeld, String home, String secret, int schemaVersion) {
        static Row of(Connection connection, String sql) throws SQLException {
            try (var statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(sql)) {
                if (!row.next()) throw new SQLException("the table lease is empty");
                return new Row(
                        new Leader(
                                row.getLong(1),
                                row.getString(2),
                                Optional.ofNullable(row.getString(3))),
                        row.getBoolean(4),
                        row.getString(5),
                        row.getString(6),
                        row.getInt(7));
            }
        }
    }

    @Override
    public Optional<Leader> leader() throws JournalException {
        Row row = inTransaction(connection -> Row.of(connection, LOOK));
        return row.isHeld ? Optional.of(row.leader) : Optional.empty();
    }

    @Override
    public Optional<LeasedJournal> take(Candidate candidate, Runnable lost)
            throws JournalException {
        Row now = inTransaction(connection -> Row.of(connection, LOOK));
        check(now, candidate);
        if (now.isHeld) return Optional.empty();
        long asked = System.nanoTime();
        long epoch = inTransaction(connection -> take(connection, candidate));
        return epoch == 0
                ? Optional.empty()
                : Optional.of(PostgresJournal.open(database, epoch, asked, lost));
    }

    /** The new epoch; zero where somebody else was faster. */
    private long take(Connection connection, Candidate candidate)
            throws SQLException, JournalException {
        Row row = Row.of(connection, LOOK_ALONE);
        check(row, candidate);
        if (row.isHeld) return 0;
        long epoch = row.leader.epoch() + 1;
        try (var statement = connection.prepareStatement(TAKE)) {
            statement.setLong(1, epoch);
            statement.setString(2, candidate.name());
            statement.setString(3, candidate.home().orElse(null));
            statement.setString(4, candidate.secret());
            statement.execute();
        }
        Schema.bringUp(connection, row.schemaVersion, database.address().shown());
        return epoch;
    }

    private static void check(Row row, Candidate candidate) throws JournalException {
        if (row.secret != null && !row.secret.equals(candidate.secret()))
            throw new JournalException(
                    "this home has another secret than the servers of the journal before: copy"
                        + " their files 'secret' and 'token' into it, so that tasks and people are"
                        + " known to both");
        if (row.home != null
                && candidate.home().isPresent()
                && !row.home.equals(candidate.home().get()))
            throw new JournalException(
                    "the journal's jobs on this machine belong to another home folder, in which"
                        + " their tasks may still run: start this server on that home, or without a"
                        + " cluster of the engine local");
    }

    private interface Work<T> {
        T with(Connection connection) throws SQLException, JournalException;
    }

    private <T> T inTransaction(Work<T> work) throws JournalException {
        boolean done = false;
        try {
            if (connection == null) connection = database.writer();
            T result = work.with(connection);
            connection.commit();
            done = true;
            return result;
        } catch (SQLException e) {
            throw database.told(e);
        } finally {
            if (!done) close();
        }
    }

    @Override
    public void close() {
        Connection old = connection;
        connection = null;
        try {
            if (old != null) old.close();
        } catch (SQLException _) {
            // An open transaction goes with it.
        }
    }
}
