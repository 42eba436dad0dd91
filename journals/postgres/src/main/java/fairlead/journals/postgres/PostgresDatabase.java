package fairlead.journals.postgres;

import fairlead.journal.JournalException;
import fairlead.journals.sql.Database;
import fairlead.journals.sql.UnreadableRow;

import org.postgresql.Driver;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/** A database of PostgreSQL, and how it is connected to. */
record PostgresDatabase(PostgresAddress address) implements Database {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(3);

    /**
     * A cut network tells nobody, so silence ends a connection. Longer than any question takes but
     * the copying of a whole journal, which brings rows all the time.
     */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(10);

    /**
     * After so long PostgreSQL itself ends a transaction whose server was paused or cut off in the
     * middle of it, and with it the locks that whoever takes over waits for.
     */
    private static final Duration PAUSED_MAX = Duration.ofSeconds(2);

    /** As many rows come at a time, so that a long answer is not held in memory twice. */
    private static final int ROWS_AT_ONCE = 1_000;

    @Override
    public Connection reader() throws SQLException {
        Connection connection = connect();
        try {
            connection.setReadOnly(true);
            // So that the several questions of one read see the same.
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** One whose transactions are begun by their first statement. */
    Connection writer() throws SQLException {
        Connection connection = connect();
        try {
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private Connection connect() throws SQLException {
        Properties login = address.login();
        login.setProperty("ApplicationName", "fairlead");
        login.setProperty("connectTimeout", "" + CONNECT_MAX.toSeconds());
        login.setProperty("loginTimeout", "" + CONNECT_MAX.multipliedBy(2).toSeconds());
        login.setProperty("socketTimeout", "" + SILENCE_MAX.toSeconds());
        login.setProperty("tcpKeepAlive", "true");
        login.setProperty("defaultRowFetchSize", "" + ROWS_AT_ONCE);
        login.setProperty(
                "options",
                "-c synchronous_commit=on -c idle_in_transaction_session_timeout="
                        + PAUSED_MAX.toMillis());
        Connection connection = new Driver().connect(address.jdbcUrl(), login);
        if (connection == null) throw new SQLException("no address of PostgreSQL: " + address);
        return connection;
    }

    /** The planner finds it. */
    @Override
    public String indexedBy(String index) {
        return "";
    }

    /** PostgreSQL has no zero in a text. */
    @Override
    public boolean canHold(String text) {
        return text.indexOf('\0') < 0;
    }

    @Override
    public JournalException told(SQLException cause) {
        if (cause instanceof UnreadableRow)
            return new JournalException(
                    "the journal %s is damaged (%s), restore a backup"
                            .formatted(address, cause.getMessage()),
                    cause);
        return new JournalException(
                switch (state(cause)) {
                    case String state when state.startsWith("08") || state.startsWith("57P") ->
                            "the journal's database cannot be reached (%s): %s"
                                    .formatted(firstLine(cause), address);
                    case "53100" -> "the disk of the journal's database is full: " + address;
                    case "25006" ->
                            "the journal's database is read-only, perhaps a replica: " + address;
                    case "28P01", "28000", "3D000" ->
                            "the journal's database refuses (%s): %s"
                                    .formatted(firstLine(cause), address);
                    case String state ->
                            "the journal failed (%s, %s): %s"
                                    .formatted(firstLine(cause), state, address);
                },
                cause);
    }

    private static String firstLine(SQLException cause) {
        return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    }

    /** Connections that failed, were ended by the database, or belong to one that is starting. */
    @Override
    public boolean isGone(SQLException cause) {
        return state(cause).startsWith("08") || state(cause).startsWith("57P");
    }

    @Override
    public boolean isConstraint(SQLException cause) {
        return state(cause).startsWith("23");
    }

    /** Where several statements went together, the first has the code. */
    private static String state(SQLException cause) {
        for (Throwable each = cause; each != null; each = each.getCause())
            if (each instanceof SQLException known && known.getSQLState() != null)
                return known.getSQLState();
        return "unknown";
    }
}
