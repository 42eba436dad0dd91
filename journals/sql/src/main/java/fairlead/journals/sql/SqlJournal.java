package fairlead.journals.sql;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Person;
import fairlead.job.Project;
import fairlead.journal.AuditLine;
import fairlead.journal.AuditQuery;
import fairlead.journal.Document;
import fairlead.journal.Fact;
import fairlead.journal.FinishedQuery;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.journal.MetricSeries;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A journal in a SQL database. Every commit is durable when it returns. One connection writes;
 * readers have their own.
 */
public abstract class SqlJournal implements Journal {
    private final Database database;
    private final Readers readers;
    private final Writer writer;

    protected SqlJournal(Database database, Writer writer) {
        this.database = database;
        this.writer = writer;
        this.readers = new Readers(database);
    }

    @Override
    public void commit(List<Fact> facts, Collection<Job> changed) throws JournalException {
        if (!facts.isEmpty() || !changed.isEmpty()) writer.commit(facts, changed);
    }

    @Override
    public void delete(Collection<JobId> jobs) throws JournalException {
        if (!jobs.isEmpty()) writer.delete(jobs);
    }

    @Override
    public List<Job> unfinished() throws JournalException {
        return jobs(Queries.unfinished(database));
    }

    @Override
    public Optional<Job> find(JobId job) throws JournalException {
        return jobs(Queries.FIND, Rows.reversed(job.text())).stream().findFirst();
    }

    @Override
    public List<JobId> endingWith(String suffix, int max) throws JournalException {
        String beginning = Rows.reversed(suffix);
        // All characters of an id stand before '\u007f', so this bounds what begins alike.
        return rows(Queries.ENDING_WITH, Rows::id, beginning, beginning + '\u007f', max);
    }

    @Override
    public List<JobId> named(String name, int max) throws JournalException {
        return rows(Queries.NAMED, Rows::id, Rows.reversed(name + "_"), max);
    }

    @Override
    public List<Job> finished(FinishedQuery query) throws JournalException {
        Finished page = Finished.of(query, database);
        return jobs(page.sql(), page.values().toArray());
    }

    @Override
    public List<JobId> madeBy(String request) throws JournalException {
        return rows(Queries.MADE_BY, Rows::id, request);
    }

    @Override
    public Optional<JobId> holderOf(String uniqueKey) throws JournalException {
        return rows(Queries.HOLDER_OF, Rows::id, uniqueKey).stream().findFirst();
    }

    @Override
    public List<Fact> history(JobId job) throws JournalException {
        return rows(Queries.HISTORY, row -> Rows.fact(row, job), Rows.reversed(job.text()));
    }

    @Override
    public List<JobId> finishedBefore(Instant time, int max) throws JournalException {
        return rows(Queries.FINISHED_BEFORE, Rows::id, Rows.nanos(time), max);
    }

    @Override
    public Map<String, Long> arrayCounts(String array) throws JournalException {
        var counts = new TreeMap<String, Long>();
        rows(
                Queries.arrayCounts(database),
                row -> counts.put(row.getString(1), row.getLong(2)),
                array);
        return counts;
    }

    @Override
    public Map<String, Long> finishedCounts() throws JournalException {
        var counts = new TreeMap<String, Long>();
        rows(Queries.FINISHED_COUNTS, row -> counts.put(row.getString(1), row.getLong(2)));
        return counts;
    }

    @Override
    public Predicted predicted() throws JournalException {
        long[] counts = new long[2];
        rows(Queries.predicted(database), row -> counts[row.getInt(1)] = row.getLong(2));
        return new Predicted(counts[1], counts[0]);
    }

    @Override
    public void keep(Project project) throws JournalException {
        writer.keep(project);
    }

    @Override
    public void deleteProject(String name) throws JournalException {
        writer.change(PeopleRows.DELETE_PROJECT, name);
    }

    @Override
    public List<Project> projects() throws JournalException {
        return rows(PeopleRows.PROJECTS, PeopleRows::project);
    }

    @Override
    public void keep(Person person) throws JournalException {
        writer.keep(person);
    }

    @Override
    public void deletePerson(String name) throws JournalException {
        writer.change(PeopleRows.DELETE_PERSON, name);
    }

    @Override
    public List<Person> people() throws JournalException {
        return rows(PeopleRows.PEOPLE, PeopleRows::person);
    }

    @Override
    public void keep(JobId job, Collection<MetricSeries> series) throws JournalException {
        if (!series.isEmpty()) writer.keep(job, series);
    }

    @Override
    public List<MetricSeries> metrics(JobId job) throws JournalException {
        return rows(
                Queries.METRICS,
                row -> MetricSeries.read(row.getString(1), row.getString(2)),
                Rows.reversed(job.text()));
    }

    @Override
    public void keep(Document document) throws JournalException {
        writer.change(AuditRows.KEEP_DOCUMENT, document.kind(), document.name(), document.text());
    }

    @Override
    public void deleteDocument(String kind, String name) throws JournalException {
        writer.change(AuditRows.DELETE_DOCUMENT, kind, name);
    }

    @Override
    public List<Document> documents(String kind) throws JournalException {
        return rows(AuditRows.DOCUMENTS, AuditRows::document, kind);
    }

    @Override
    public void audit(List<AuditLine> lines) throws JournalException {
        if (!lines.isEmpty()) writer.audit(lines);
    }

    @Override
    public List<AuditLine> audited(AuditQuery query) throws JournalException {
        AuditRows.Asked asked = AuditRows.Asked.of(query);
        return rows(asked.sql(), AuditRows::line, asked.values().toArray());
    }

    @Override
    public void forgetAudit(Instant before) throws JournalException {
        writer.change(AuditRows.FORGET_LINES, Rows.nanos(before));
    }

    /**
     * One table of a journal.
     *
     * @param sum the SHA-256 of all its rows, the same in every database
     */
    public record TableSum(String table, long rows, String sum) {}

    /** What the journal holds, as one state of it. */
    public final List<TableSum> sums() throws JournalException {
        return readers.read(reader -> TableCopy.sums(reader.connection()));
    }

    /** Whether nothing was ever kept in it, or all of it is gone. */
    public final boolean isEmpty() throws JournalException {
        return readers.read(reader -> TableCopy.isEmpty(reader.connection()));
    }

    /** Copies one state of this journal into an empty one, all or nothing. */
    public final void copyInto(SqlJournal empty) throws JournalException {
        if (!empty.isEmpty()) throw new JournalException("the journal to copy into is not empty");
        JournalException[] failure = new JournalException[1];
        readers.read(
                reader -> {
                    try {
                        empty.writer.fill(to -> TableCopy.copy(reader.connection(), to));
                    } catch (JournalException e) {
                        failure[0] = e;
                    }
                    return empty;
                });
        if (failure[0] != null) throw failure[0];
    }

    /** Reads that run now end first; later ones are refused. */
    @Override
    public void close() {
        readers.close();
        writer.close();
    }

    /** What cannot be in a row is in none. */
    private boolean canHold(Object... values) {
        for (Object value : values)
            if (value instanceof String text && !database.canHold(text)) return false;
        return true;
    }

    private List<Job> jobs(String sql, Object... values) throws JournalException {
        if (!canHold(values)) return List.of();
        return readers.read(
                reader -> {
                    var sharing = new Sharing(reader);
                    return rows(reader, sql, row -> Rows.job(row, sharing), values);
                });
    }

    private interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    private <T> List<T> rows(String sql, Row<T> row, Object... values) throws JournalException {
        return canHold(values) ? readers.read(reader -> rows(reader, sql, row, values)) : List.of();
    }

    private static <T> List<T> rows(Readers.Reader reader, String sql, Row<T> row, Object... values)
            throws SQLException {
        PreparedStatement statement = reader.prepared(sql, values);
        try (ResultSet found = statement.executeQuery()) {
            var list = new ArrayList<T>();
            while (found.next()) list.add(read(row, found));
            return list;
        }
    }

    private static <T> T read(Row<T> row, ResultSet found) throws SQLException {
        try {
            return row.read(found);
        } catch (RuntimeException e) {
            throw new UnreadableRow("a row", e);
        }
    }
}
