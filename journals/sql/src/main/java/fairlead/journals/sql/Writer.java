package fairlead.journals.sql;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Person;
import fairlead.job.Project;
import fairlead.journal.AuditLine;
import fairlead.journal.Fact;
import fairlead.journal.JournalException;
import fairlead.journal.MetricSeries;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The one connection that changes a journal. One transaction at a time, of any thread. */
public abstract class Writer {
    private final Database database;

    /** Null after a failure, which leaves a driver's statements unusable. */
    private Statements statements;

    protected Writer(Database database) {
        this.database = database;
    }

    /** The one that is open, or a new one where it has ended. */
    protected abstract Connection connection() throws SQLException, JournalException;

    protected abstract void begin() throws SQLException;

    /** When this returns, a power cut loses nothing of the transaction. */
    protected abstract void commit() throws SQLException, JournalException;

    /** Nothing of the transaction may remain. */
    protected abstract void rollBack();

    /** After rows were put in with their numbers: the next ones are above them. */
    protected abstract void numberOn(Connection filled) throws SQLException;

    public abstract void close();

    /** Prepared once and used for every commit. */
    private record Statements(
            PreparedStatement updateJob,
            PreparedStatement insertJob,
            PreparedStatement insertSpec,
            PreparedStatement insertArraySpec,
            PreparedStatement insertEvent,
            PreparedStatement deleteJob) {
        static Statements prepare(Connection connection) throws SQLException {
            return new Statements(
                    connection.prepareStatement(Rows.UPDATE_JOB),
                    connection.prepareStatement(Rows.INSERT_JOB),
                    connection.prepareStatement(Rows.INSERT_SPEC),
                    connection.prepareStatement(Rows.INSERT_ARRAY_SPEC),
                    connection.prepareStatement(Rows.INSERT_EVENT),
                    connection.prepareStatement(Rows.DELETE_JOB));
        }

        void close() throws SQLException {
            for (var each :
                    List.of(
                            updateJob,
                            insertJob,
                            insertSpec,
                            insertArraySpec,
                            insertEvent,
                            deleteJob)) {
                each.close();
            }
        }
    }

    synchronized void commit(List<Fact> facts, Collection<Job> changed) throws JournalException {
        inTransaction(
                () -> {
                    keep(List.copyOf(changed));
                    for (Fact fact : facts) Rows.bindEvent(statements.insertEvent, fact);
                    if (!facts.isEmpty()) statements.insertEvent.executeBatch();
                });
    }

    /** A job that no update finds is new. */
    private void keep(List<Job> changed) throws SQLException {
        if (changed.isEmpty()) return;
        for (Job job : changed) Rows.bindUpdate(statements.updateJob, job);
        int[] found = statements.updateJob.executeBatch();
        var fresh = new ArrayList<Job>();
        for (int i = 0; i < found.length; i++) if (found[i] == 0) fresh.add(changed.get(i));
        if (fresh.isEmpty()) return;
        var shared = new HashMap<String, JobSpec>();
        for (Job job : fresh) {
            Rows.bindInsert(statements.insertJob, job);
            if (!isShared(job, shared)) Rows.bindSpec(statements.insertSpec, job);
        }
        statements.insertJob.executeBatch();
        statements.insertSpec.executeBatch();
    }

    /**
     * Whether the job's spec is kept with its array. It is for the jobs that a submit makes, which
     * have one object for it; whatever else an array may hold keeps its own.
     *
     * @param shared those that were kept in this commit
     */
    private boolean isShared(Job job, Map<String, JobSpec> shared) throws SQLException {
        if (job.array().isEmpty()) return false;
        String array = job.array().get().array();
        JobSpec spec = shared.get(array);
        if (spec != null) return isSame(spec, job.spec());
        Rows.bindArraySpec(statements.insertArraySpec, array, job.spec());
        if (statements.insertArraySpec.executeUpdate() == 0) return false;
        shared.put(array, job.spec());
        return true;
    }

    /** A training job that has been placed already has a copy of the spec, with other GPUs. */
    private static boolean isSame(JobSpec one, JobSpec other) {
        return one == other
                || one.training().isPresent() && one.sizedAsAsked().equals(other.sizedAsAsked());
    }

    synchronized void delete(Collection<JobId> jobs) throws JournalException {
        inTransaction(
                () -> {
                    for (JobId job : jobs) Rows.bindDelete(statements.deleteJob, job);
                    statements.deleteJob.executeBatch();
                });
    }

    synchronized void keep(Project project) throws JournalException {
        inTransaction(
                () -> {
                    try (var row = connection().prepareStatement(PeopleRows.KEEP_PROJECT)) {
                        PeopleRows.bind(row, project);
                        row.execute();
                    }
                });
    }

    synchronized void keep(Person person) throws JournalException {
        inTransaction(
                () -> {
                    try (var row = connection().prepareStatement(PeopleRows.KEEP_PERSON)) {
                        PeopleRows.bind(row, person);
                        row.execute();
                    }
                });
    }

    synchronized void keep(JobId job, Collection<MetricSeries> series) throws JournalException {
        inTransaction(
                () -> {
                    try (var row = connection().prepareStatement(Rows.KEEP_METRIC)) {
                        for (MetricSeries each : series) {
                            row.setString(1, each.name());
                            row.setString(2, each.text());
                            row.setString(3, Rows.reversed(job.text()));
                            row.execute();
                        }
                    }
                });
    }

    synchronized void audit(List<AuditLine> lines) throws JournalException {
        inTransaction(
                () -> {
                    try (var row = connection().prepareStatement(AuditRows.ADD_LINE)) {
                        for (AuditLine line : lines) {
                            AuditRows.bind(row, line);
                            row.addBatch();
                        }
                        row.executeBatch();
                    }
                });
    }

    /** Runs one statement with these parameters. */
    protected final synchronized void change(String sql, Object... values) throws JournalException {
        inTransaction(
                () -> {
                    try (var row = connection().prepareStatement(sql)) {
                        for (int i = 0; i < values.length; i++) row.setObject(i + 1, values[i]);
                        row.execute();
                    }
                });
    }

    /** Puts rows into tables that are empty. */
    interface Filling {
        void into(Connection connection) throws SQLException;
    }

    synchronized void fill(Filling filling) throws JournalException {
        inTransaction(
                () -> {
                    filling.into(connection());
                    numberOn(connection());
                });
    }

    protected interface Changes {
        void make() throws SQLException, JournalException;
    }

    protected final void inTransaction(Changes changes) throws JournalException {
        boolean done = false;
        try {
            if (statements == null) statements = Statements.prepare(connection());
            begin();
            changes.make();
            commit();
            done = true;
        } catch (SQLException e) {
            if (database.isConstraint(e)) {
                throw new IllegalArgumentException(
                        "a fact about an unknown job, or a job twice", e);
            }
            throw database.told(e);
        } finally {
            if (!done) undo();
        }
    }

    /** Also after a bug in between: what was put into the batches must not meet the next commit. */
    private void undo() {
        try {
            Statements broken = statements;
            statements = null;
            if (broken != null) broken.close();
        } catch (SQLException _) {
            // The driver has closed some of them itself; fresh ones are prepared next time.
        }
        rollBack();
    }
}
