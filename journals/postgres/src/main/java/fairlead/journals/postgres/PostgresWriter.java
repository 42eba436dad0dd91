package fairlead.journals.postgres;

import fairlead.journal.JournalException;
import fairlead.journals.sql.Writer;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The one connection that changes the journal, in the epoch of one lease. The last statement of
 * each transaction extends the lease where its epoch is still ours, and counts the transaction: so
 * none is kept after another server has taken over, and when the answer to a commit is lost the
 * count says whether it was kept.
 */
final class PostgresWriter extends Writer {
    private static final System.Logger LOG = System.getLogger(PostgresWriter.class.getName());

    private static final String EXTEND =
            "UPDATE lease SET " + PostgresLease.EXTENDED + ", commits = ? WHERE epoch = ?";

    /** Waits for a commit that the database may still be busy with. */
    private static final String COUNT = "SELECT commits FROM lease WHERE epoch = ? FOR UPDATE";

    private static final String RELEASE =
            "UPDATE lease SET until = clock_timestamp() WHERE epoch = ?";

    private static final String ANNOUNCE = "UPDATE lease SET url = ? WHERE epoch = ?";

    /**
     * So long a commit waits to learn whether it was kept. A server that does not know may neither
     * go on nor say that it failed.
     */
    private static final Duration DOUBT_MAX = Duration.ofMinutes(10);

    private static final Duration DOUBT_PAUSE = Duration.ofMillis(500);

    /** Less than the lease, so that our own clock may run a little slower than the database's. */
    private static final Duration SURE = PostgresLease.SPAN.minusSeconds(1);

    private final PostgresDatabase database;
    private final long epoch;
    private final Runnable lost;
    private final AtomicBoolean isLost = new AtomicBoolean();
    private Connection connection;
    private long commits;
    private volatile long extendedNanos;
    private volatile boolean closing;

    /**
     * @param extendedNanos when the lease was asked for, by {@link System#nanoTime}
     */
    PostgresWriter(PostgresDatabase database, long epoch, long extendedNanos, Runnable lost) {
        super(database);
        this.database = database;
        this.epoch = epoch;
        this.extendedNanos = extendedNanos;
        this.lost = lost;
    }

    long epoch() {
        return epoch;
    }

    boolean isHeld() {
        return !isLost.get() && System.nanoTime() - extendedNanos < SURE.toNanos();
    }

    boolean isLost() {
        return isLost.get();
    }

    @Override
    protected Connection connection() throws SQLException, JournalException {
        if (isLost.get()) throw fenced();
        if (connection == null) connection = database.writer();
        return connection;
    }

    /** The driver begins a transaction with its first statement. */
    @Override
    protected void begin() {}

    @Override
    protected void commit() throws SQLException, JournalException {
        long began = System.nanoTime();
        try (PreparedStatement extend = connection.prepareStatement(EXTEND)) {
            extend.setLong(1, commits + 1);
            extend.setLong(2, epoch);
            if (extend.executeUpdate() == 0) throw loseLease();
        }
        try {
            connection.commit();
        } catch (SQLException unanswered) {
            if (!wasKept(unanswered)) throw unanswered;
        }
        commits++;
        extendedNanos = began;
    }

    private boolean wasKept(SQLException unanswered) throws JournalException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < DOUBT_MAX.toNanos() && !closing) {
            rollBack();
            try {
                connection = database.writer();
                try (PreparedStatement count = connection.prepareStatement(COUNT)) {
                    count.setLong(1, epoch);
                    try (ResultSet row = count.executeQuery()) {
                        boolean isOurs = row.next();
                        boolean isKept = isOurs && row.getLong(1) == commits + 1;
                        connection.rollback();
                        // Whoever has taken over has read what was kept; we may not go on.
                        if (!isOurs) throw loseLease();
                        return isKept;
                    }
                }
            } catch (SQLException still) {
                LOG.log(
                        System.Logger.Level.DEBUG,
                        "not yet known whether a commit was kept: {0}",
                        still.getMessage());
            }
            pause();
        }
        // Nothing in memory is to be trusted now; the next server reads what is true.
        throw new IllegalStateException(
                "whether the last commit was kept is not known, and the journal's database does not"
                        + " answer: "
                        + database.address(),
                unanswered);
    }

    private static void pause() {
        try {
            Thread.sleep(DOUBT_PAUSE);
        } catch (InterruptedException _) {
            // A stop does not make it known either; it is remembered by whoever asked for it.
            Thread.onSpinWait();
        }
    }

    private JournalException loseLease() {
        if (isLost.compareAndSet(false, true)) lost.run();
        return fenced();
    }

    private JournalException fenced() {
        return new JournalException(
                "another server has taken over the journal (after epoch %d), so this one may not write: %s"
                        .formatted(epoch, database.address()));
    }

    /** Extends the lease where nothing else is written. */
    synchronized void renew() throws JournalException {
        inTransaction(() -> {});
    }

    synchronized void announce(String url) throws JournalException {
        change(ANNOUNCE, url, epoch);
    }

    /** A connection after a failure is not to be trusted; its transaction ends with it. */
    @Override
    protected void rollBack() {
        Connection old = connection;
        connection = null;
        try {
            if (old != null) old.close();
        } catch (SQLException _) {
            // PostgreSQL has ended it.
        }
    }

    /** What a restored or migrated journal numbers next. */
    @Override
    protected void numberOn(Connection filled) throws SQLException {
        for (String table : new String[] {"job", "event", "audit"}) {
            try (var statement = filled.createStatement()) {
                statement.execute(
                        "SELECT setval(pg_get_serial_sequence('%s', 'seq'), coalesce(max(seq), 0) + 1, false) FROM %s"
                                .formatted(table, table));
            }
        }
    }

    /** Lets whoever stands by take over at once. */
    @Override
    public void close() {
        closing = true;
        synchronized (this) {
            try {
                if (!isLost.get()) {
                    if (connection == null) connection = database.writer();
                    try (PreparedStatement release = connection.prepareStatement(RELEASE)) {
                        release.setLong(1, epoch);
                        release.execute();
                    }
                    connection.commit();
                }
            } catch (SQLException unreachable) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "the lease was not given back and ends by itself: {0}",
                        unreachable.getMessage());
            } finally {
                rollBack();
            }
        }
    }
}
