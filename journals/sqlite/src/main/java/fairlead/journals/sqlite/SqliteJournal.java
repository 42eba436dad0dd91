package fairlead.journals.sqlite;

import static java.lang.System.Logger.Level.WARNING;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Person;
import fairlead.job.Project;
import fairlead.journal.Fact;
import fairlead.journal.FinishedQuery;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.journal.MetricSeries;

import java.nio.file.Path;
import java.sql.Connection;
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
 * A journal in one SQLite file. Every commit is on the disk when it returns. One connection writes;
 * readers have their own and never wait for it, nor it for them. While it is open, no other process
 * can open it; a lock of the kernel sees to that, which a killed server cannot leave behind.
 */
public final class SqliteJournal implements Journal {
    static final String UNFINISHED =
            "SELECT "
                    + Rows.JOB_COLUMNS
                    + " FROM job INDEXED BY job_unfinished"
                    + Rows.WITH_SPEC
                    + " WHERE finished IS NULL ORDER BY seq";
    static final String FIND =
            "SELECT " + Rows.JOB_COLUMNS + " FROM job" + Rows.WITH_SPEC + " WHERE reversed = ?";
    static final String ENDING_WITH =
            "SELECT reversed FROM job WHERE reversed >= ? AND reversed < ? ORDER BY seq DESC LIMIT"
                    + " ?";

    static final String NAMED =
            "SELECT reversed FROM job WHERE " + Schema.NAME + " = ? ORDER BY seq DESC LIMIT ?";

    static final String MADE_BY = "SELECT reversed FROM job WHERE request = ? ORDER BY seq";
    static final String HOLDER_OF =
            "SELECT reversed FROM job WHERE unique_key = ? ORDER BY seq LIMIT 1";
    static final String HISTORY =
            "SELECT at, body FROM event WHERE job = (SELECT seq FROM job WHERE reversed = ?)"
                    + " ORDER BY seq";
    static final String METRICS =
            "SELECT name, body FROM metric WHERE job = (SELECT seq FROM job WHERE reversed = ?)"
                    + " ORDER BY name";
    static final String FINISHED_BEFORE =
            "SELECT reversed FROM job WHERE finished < ? ORDER BY finished, seq LIMIT ?";
    static final String ARRAY_COUNTS =
            "SELECT word, count(*) FROM job INDEXED BY job_array WHERE array_id = ? GROUP BY word";

    static final String FINISHED_COUNTS = "SELECT word, jobs FROM finished_count WHERE jobs > 0";

    static final String PREDICTED =
            "SELECT predicted_well, count(*) FROM job INDEXED BY job_predicted"
                    + " WHERE predicted_well IS NOT NULL GROUP BY predicted_well";

    private static final System.Logger LOG = System.getLogger(SqliteJournal.class.getName());
    private final JournalFile file;
    private final Readers readers;
    private final Writer writer;

    private SqliteJournal(JournalFile file, Writer writer) {
        this.file = file;
        this.writer = writer;
        this.readers = new Readers(file);
    }

    /**
     * Opens the journal in this file, made where it is missing and brought up where it is older.
     */
    public static SqliteJournal open(Path file) throws JournalException {
        return open(file, Schema.CURRENT);
    }

    static SqliteJournal open(Path path, Schema schema) throws JournalException {
        var file = new JournalFile(path.toAbsolutePath());
        file.create();
        return new SqliteJournal(file, Writer.open(file, schema, true).orElseThrow());
    }

    /**
     * Opens a journal that must be there already. One that is missing, or has nothing in it, is
     * left as it is and gives nothing.
     */
    public static Optional<SqliteJournal> openUsed(Path path) throws JournalException {
        var file = new JournalFile(path.toAbsolutePath());
        // Before SQLite sees it: beside an empty file it would delete the log with all commits.
        if (file.isMissingOrEmpty()) return Optional.empty();
        file.create();
        return Writer.open(file, Schema.CURRENT, false)
                .map(writer -> new SqliteJournal(file, writer));
    }

    /** Whether a failure is about the file's content, which only another file mends. */
    public static boolean isDamage(JournalException failure) {
        return failure.getCause() instanceof SQLException cause && Failures.isDamage(cause);
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
        return jobs(UNFINISHED);
    }

    @Override
    public Optional<Job> find(JobId job) throws JournalException {
        return jobs(FIND, Rows.reversed(job.text())).stream().findFirst();
    }

    @Override
    public List<JobId> endingWith(String suffix, int max) throws JournalException {
        String beginning = Rows.reversed(suffix);
        // All characters of an id stand before '\u007f', so this bounds what begins alike.
        return rows(ENDING_WITH, Rows::id, beginning, beginning + '\u007f', max);
    }

    @Override
    public List<JobId> named(String name, int max) throws JournalException {
        return rows(NAMED, Rows::id, Rows.reversed(name + "_"), max);
    }

    @Override
    public List<Job> finished(FinishedQuery query) throws JournalException {
        Finished page = Finished.of(query);
        return jobs(page.sql(), page.values().toArray());
    }

    @Override
    public List<JobId> madeBy(String request) throws JournalException {
        return rows(MADE_BY, Rows::id, request);
    }

    @Override
    public Optional<JobId> holderOf(String uniqueKey) throws JournalException {
        return rows(HOLDER_OF, Rows::id, uniqueKey).stream().findFirst();
    }

    @Override
    public List<Fact> history(JobId job) throws JournalException {
        return rows(HISTORY, row -> Rows.fact(row, job), Rows.reversed(job.text()));
    }

    @Override
    public List<JobId> finishedBefore(Instant time, int max) throws JournalException {
        return rows(FINISHED_BEFORE, Rows::id, Rows.nanos(time), max);
    }

    @Override
    public Map<String, Long> arrayCounts(String array) throws JournalException {
        var counts = new TreeMap<String, Long>();
        rows(ARRAY_COUNTS, row -> counts.put(row.getString(1), row.getLong(2)), array);
        return counts;
    }

    @Override
    public Map<String, Long> finishedCounts() throws JournalException {
        var counts = new TreeMap<String, Long>();
        rows(FINISHED_COUNTS, row -> counts.put(row.getString(1), row.getLong(2)));
        return counts;
    }

    @Override
    public Predicted predicted() throws JournalException {
        long[] counts = new long[2];
        rows(PREDICTED, row -> counts[row.getInt(1)] = row.getLong(2));
        return new Predicted(counts[1], counts[0]);
    }

    @Override
    public void keep(Project project) throws JournalException {
        writer.keep(project);
    }

    @Override
    public void deleteProject(String name) throws JournalException {
        writer.delete(PeopleRows.DELETE_PROJECT, name);
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
        writer.delete(PeopleRows.DELETE_PERSON, name);
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
                METRICS,
                row -> MetricSeries.read(row.getString(1), row.getString(2)),
                Rows.reversed(job.text()));
    }

    /**
     * Writes a copy as of now into a new file that only its owner may read; commits go on
     * meanwhile. When this returns, the copy is on the disk; when it throws, there is no file.
     */
    public void backup(Path target) throws JournalException {
        Backup.write(file, target.toAbsolutePath());
    }

    Path path() {
        return file.path();
    }

    /** Whether it was made by this process. */
    boolean isNew() {
        return writer.isNew();
    }

    /** One more for reading, which the caller closes before the journal. */
    Connection connection() throws SQLException {
        return file.reader();
    }

    /** What the journal takes on the disk, with the log that SQLite keeps beside it. */
    public long bytes() throws JournalException {
        return file.bytes();
    }

    /** Reads that run now end first; later ones are refused. */
    @Override
    public void close() {
        readers.close();
        try {
            writer.close();
        } catch (SQLException e) {
            LOG.log(
                    WARNING,
                    "the journal did not close cleanly; nothing is lost: {0}",
                    e.getMessage());
        }
    }

    private List<Job> jobs(String sql, Object... values) throws JournalException {
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
        return readers.read(reader -> rows(reader, sql, row, values));
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
            throw Failures.unreadable("a row", e);
        }
    }
}
