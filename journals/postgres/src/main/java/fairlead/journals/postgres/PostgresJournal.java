package fairlead.journals.postgres;

import static java.lang.System.Logger.Level.WARNING;

import fairlead.journal.JournalException;
import fairlead.journals.sql.LeasedJournal;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A journal in PostgreSQL, of the server that has its lease. A thread of its own extends the lease
 * while nothing is written.
 */
final class PostgresJournal extends LeasedJournal {
    private static final System.Logger LOG = System.getLogger(PostgresJournal.class.getName());

    /** Several tries fit into the lease. */
    private static final Duration RENEW_EVERY = Duration.ofSeconds(1);

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);

    private final PostgresDatabase database;
    private final PostgresWriter writer;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread renewing;

    private PostgresJournal(PostgresDatabase database, PostgresWriter writer) {
        super(database, writer);
        this.database = database;
        this.writer = writer;
        this.renewing = Thread.ofPlatform().name("lease").daemon().unstarted(this::renew);
    }

    static PostgresJournal open(
            PostgresDatabase database, long epoch, long askedNanos, Runnable lost) {
        var journal =
                new PostgresJournal(
                        database, new PostgresWriter(database, epoch, askedNanos, lost));
        journal.renewing.start();
        return journal;
    }

    private void renew() {
        String told = "";
        try {
            while (!stopped.await(RENEW_EVERY.toMillis(), TimeUnit.MILLISECONDS)
                    && !writer.isLost()) {
                try {
                    writer.renew();
                    told = "";
                } catch (JournalException failure) {
                    if (!failure.getMessage().equals(told))
                        LOG.log(
                                WARNING,
                                "the lease was not renewed, will try again: {0}",
                                failure.getMessage());
                    told = failure.getMessage();
                }
            }
        } catch (InterruptedException _) {
            // Only a stop of the whole process would.
        }
    }

    @Override
    public long epoch() {
        return writer.epoch();
    }

    @Override
    public boolean isHeld() {
        return writer.isHeld();
    }

    @Override
    public void announce(String url) throws JournalException {
        writer.announce(url);
    }

    @Override
    public long bytes() throws JournalException {
        try (Connection connection = database.reader();
                var statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT pg_database_size(current_database())")) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw database.told(e);
        }
    }

    @Override
    public String address() {
        return database.address().shown();
    }

    @Override
    public void close() {
        stopped.countDown();
        super.close();
        try {
            renewing.join(STOP_PATIENCE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
