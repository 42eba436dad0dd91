package fairlead.server.journal;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.journal.Fact;
import fairlead.journal.JournalException;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The one connection that changes the journal. Transactions are begun and committed by hand: the
 * driver's own begin the next one at once, and would keep the lock.
 */
final class Writer {
    private final JournalFile file;
    private final Connection connection;
    private final PreparedStatement begin;
    private final PreparedStatement commit;
    private final PreparedStatement rollback;
    private final PreparedStatement updateJob;
    private final PreparedStatement insertJob;
    private final PreparedStatement insertSpec;
    private final PreparedStatement insertEvent;
    private final PreparedStatement deleteJob;

    private Writer(JournalFile file, Connection connection) throws SQLException {
        this.file = file;
        this.connection = connection;
        begin = connection.prepareStatement("BEGIN IMMEDIATE");
        commit = connection.prepareStatement("COMMIT");
        rollback = connection.prepareStatement("ROLLBACK");
        updateJob = connection.prepareStatement(Rows.UPDATE_JOB);
        insertJob = connection.prepareStatement(Rows.INSERT_JOB);
        insertSpec = connection.prepareStatement(Rows.INSERT_SPEC);
        insertEvent = connection.prepareStatement(Rows.INSERT_EVENT);
        deleteJob =
                connection.prepareStatement(
                        "DELETE FROM job WHERE reversed = ? AND finished IS NOT NULL");
    }

    static Writer open(JournalFile file, Schema schema) throws JournalException {
        Connection connection = null;
        try {
            connection = file.writer();
            schema.bringUp(connection, file.path());
            return new Writer(file, connection);
        } catch (SQLException e) {
            close(connection, e);
            throw Failures.told("the journal", file.path(), e);
        } catch (JournalException e) {
            close(connection, e);
            throw e;
        }
    }

    private static void close(Connection connection, Exception cause) {
        try {
            if (connection != null) connection.close();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    synchronized void commit(List<Fact> facts, Collection<Job> changed) throws JournalException {
        inTransaction(
                () -> {
                    keep(List.copyOf(changed));
                    for (Fact fact : facts) Rows.bindEvent(insertEvent, fact);
                    if (!facts.isEmpty()) insertEvent.executeBatch();
                });
    }

    /** A job that no update finds is new. */
    private void keep(List<Job> changed) throws SQLException {
        if (changed.isEmpty()) return;
        for (Job job : changed) Rows.bindUpdate(updateJob, job);
        int[] found = updateJob.executeBatch();
        var fresh = new ArrayList<Job>();
        for (int i = 0; i < found.length; i++) if (found[i] == 0) fresh.add(changed.get(i));
        if (fresh.isEmpty()) return;
        for (Job job : fresh) {
            Rows.bindInsert(insertJob, job);
            Rows.bindSpec(insertSpec, job);
        }
        insertJob.executeBatch();
        insertSpec.executeBatch();
    }

    synchronized void delete(Collection<JobId> jobs) throws JournalException {
        inTransaction(
                () -> {
                    for (JobId job : jobs) {
                        deleteJob.setString(1, Rows.reversed(job.text()));
                        deleteJob.addBatch();
                    }
                    deleteJob.executeBatch();
                });
    }

    private interface Changes {
        void make() throws SQLException;
    }

    private void inTransaction(Changes changes) throws JournalException {
        boolean done = false;
        try {
            begin.execute();
            changes.make();
            commit.execute();
            done = true;
        } catch (SQLException e) {
            if (Failures.isConstraint(e)) {
                throw new IllegalArgumentException(
                        "a fact about an unknown job, or a job twice", e);
            }
            throw Failures.told("the journal", file.path(), e);
        } finally {
            if (!done) undo();
        }
    }

    /** Also after a bug in between: what was put into the batches must not meet the next commit. */
    private void undo() {
        try {
            updateJob.clearBatch();
            insertJob.clearBatch();
            insertSpec.clearBatch();
            insertEvent.clearBatch();
            deleteJob.clearBatch();
            rollback.execute();
        } catch (SQLException _) {
            // SQLite has rolled back by itself after some errors and then knows no transaction.
        }
    }

    synchronized void close() throws SQLException {
        connection.close();
    }
}
