package fairlead.journals.sqlite;

import fairlead.journal.JournalException;
import fairlead.journals.sql.Queries;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables of the journal, as the ordered list of changes that made them. A change that has been
 * released is never edited: the next one follows it.
 *
 * @param migrations the statements of each change; the first makes version 1
 */
record Schema(List<List<String>> migrations) {
    /** "FRLD", which tells a journal from other people's SQLite files. */
    private static final int APPLICATION_ID = 0x46524c44;

    /**
     * Jobs are numbered in the order of submission. An id is looked up and searched by its end, so
     * only the reversed id is indexed. The spec has a table of its own, because SQLite writes a
     * whole row again when any column changes. The indices of finished jobs hold what their queries
     * filter by, so that a page never reads rows that it does not show.
     */
    private static final List<String> VERSION_1 =
            List.of(
                    "PRAGMA application_id = " + APPLICATION_ID,
                    """
                    CREATE TABLE job (
                        seq INTEGER PRIMARY KEY,
                        id TEXT NOT NULL,
                        reversed TEXT NOT NULL UNIQUE,
                        owner TEXT NOT NULL,
                        request TEXT,
                        array_id TEXT,
                        array_index INTEGER,
                        submitted INTEGER NOT NULL,
                        word TEXT NOT NULL,
                        finished INTEGER,
                        priority INTEGER NOT NULL,
                        attempts INTEGER NOT NULL,
                        failures INTEGER NOT NULL,
                        losses INTEGER NOT NULL,
                        started INTEGER,
                        served INTEGER NOT NULL,
                        predicted_earliest INTEGER,
                        predicted_start INTEGER,
                        predicted_latest INTEGER,
                        predicted_well INTEGER,
                        state TEXT NOT NULL
                    ) STRICT\
                    """,
                    "CREATE INDEX job_request ON job (request) WHERE request IS NOT NULL",
                    "CREATE INDEX job_unfinished ON job (seq) WHERE finished IS NULL",
                    "CREATE INDEX job_predicted ON job (predicted_well)"
                            + " WHERE predicted_well IS NOT NULL",
                    "CREATE INDEX job_finished ON job (seq) WHERE finished IS NOT NULL",
                    "CREATE INDEX job_finished_at ON job (finished) WHERE finished IS NOT NULL",
                    "CREATE INDEX job_finished_word ON job (word, seq)"
                            + " WHERE finished IS NOT NULL",
                    "CREATE INDEX job_finished_owner ON job (owner, seq)"
                            + " WHERE finished IS NOT NULL",
                    "CREATE INDEX job_finished_owner_word ON job (owner, word, seq)"
                            + " WHERE finished IS NOT NULL",
                    "CREATE INDEX job_finished_array ON job (array_id, seq)"
                            + " WHERE finished IS NOT NULL AND array_id IS NOT NULL",
                    "CREATE TABLE finished_count (word TEXT PRIMARY KEY, jobs INTEGER NOT NULL)"
                            + " STRICT",
                    """
                    CREATE TRIGGER count_finished_new AFTER INSERT ON job
                    WHEN new.finished IS NOT NULL BEGIN
                        INSERT INTO finished_count VALUES (new.word, 1)
                        ON CONFLICT (word) DO UPDATE SET jobs = jobs + 1;
                    END\
                    """,
                    """
                    CREATE TRIGGER count_finished AFTER UPDATE OF finished ON job
                    WHEN old.finished IS NULL AND new.finished IS NOT NULL BEGIN
                        INSERT INTO finished_count VALUES (new.word, 1)
                        ON CONFLICT (word) DO UPDATE SET jobs = jobs + 1;
                    END\
                    """,
                    """
                    CREATE TRIGGER count_deleted AFTER DELETE ON job
                    WHEN old.finished IS NOT NULL BEGIN
                        UPDATE finished_count SET jobs = jobs - 1 WHERE word = old.word;
                    END\
                    """,
                    """
                    CREATE TABLE spec (
                        job INTEGER PRIMARY KEY REFERENCES job (seq) ON DELETE CASCADE,
                        body TEXT NOT NULL
                    ) STRICT\
                    """,
                    """
                    CREATE TABLE event (
                        seq INTEGER PRIMARY KEY,
                        job INTEGER NOT NULL REFERENCES job (seq) ON DELETE CASCADE,
                        at INTEGER NOT NULL,
                        body TEXT NOT NULL
                    ) STRICT\
                    """,
                    "CREATE INDEX event_job ON event (job)",
                    """
                    CREATE TABLE project (
                        name TEXT PRIMARY KEY,
                        quota INTEGER,
                        members TEXT NOT NULL,
                        interactive_max INTEGER,
                        interactive_limit INTEGER NOT NULL
                    ) STRICT\
                    """,
                    """
                    CREATE TABLE person (
                        name TEXT PRIMARY KEY,
                        token_hash TEXT NOT NULL,
                        admin INTEGER NOT NULL,
                        project TEXT NOT NULL
                    ) STRICT\
                    """);

    /** What preemptions cost a job, and what a training job reports; most jobs have neither. */
    private static final List<String> VERSION_2 =
            List.of(
                    "ALTER TABLE job ADD COLUMN setbacks TEXT",
                    "ALTER TABLE job ADD COLUMN progress TEXT");

    /** The names of pods, of which a project has each once; few jobs say one. */
    private static final List<String> VERSION_3 =
            List.of(
                    "ALTER TABLE job ADD COLUMN pod TEXT",
                    "CREATE INDEX job_pod ON job (pod) WHERE pod IS NOT NULL");

    /** Passwords, and projects that take no new jobs. */
    private static final List<String> VERSION_4 =
            List.of(
                    "ALTER TABLE person ADD COLUMN password_hash TEXT",
                    "ALTER TABLE person ADD COLUMN github_pat INTEGER NOT NULL DEFAULT 0",
                    "ALTER TABLE project ADD COLUMN stopped INTEGER NOT NULL DEFAULT 0");

    /**
     * A pod's name becomes one kind of name that only one job has, and jobs with a retry policy
     * count their tries.
     */
    private static final List<String> VERSION_5 =
            List.of(
                    "DROP INDEX job_pod",
                    "ALTER TABLE job RENAME COLUMN pod TO unique_key",
                    "UPDATE job SET unique_key = 'pod:' || unique_key WHERE unique_key IS NOT NULL",
                    "CREATE INDEX job_unique_key ON job (unique_key)"
                            + " WHERE unique_key IS NOT NULL",
                    "ALTER TABLE job ADD COLUMN tries TEXT");

    /**
     * No other tables: specs may have secrets and origins without a name, and attempts their hosts
     * and ports, which an older program would not read.
     */
    private static final List<String> VERSION_6 = List.of();

    /**
     * The jobs of an array have one spec together, which goes with the last of them. Those of older
     * arrays keep theirs in the table of specs, one for each job.
     */
    private static final List<String> VERSION_7 =
            List.of(
                    "CREATE TABLE array_spec (array_id TEXT PRIMARY KEY, body TEXT NOT NULL)"
                            + " STRICT",
                    "CREATE INDEX job_array ON job (array_id) WHERE array_id IS NOT NULL",
                    """
                    CREATE TRIGGER forget_array_spec AFTER DELETE ON job
                    WHEN old.array_id IS NOT NULL
                        AND NOT EXISTS (SELECT 1 FROM job WHERE array_id = old.array_id) BEGIN
                        DELETE FROM array_spec WHERE array_id = old.array_id;
                    END\
                    """);

    /** A text may be the end of an id or a name, so that every search by an end asks for names. */
    private static final List<String> VERSION_8 =
            List.of("CREATE INDEX job_name ON job (" + Queries.NAME + ")");

    /** What scripts have reported: a row for each metric, with all points that are kept of it. */
    private static final List<String> VERSION_9 =
            List.of(
                    """
                    CREATE TABLE metric (
                        job INTEGER NOT NULL REFERENCES job (seq) ON DELETE CASCADE,
                        name TEXT NOT NULL,
                        body TEXT NOT NULL,
                        PRIMARY KEY (job, name)
                    ) STRICT, WITHOUT ROWID\
                    """);

    /**
     * What is kept of people besides, and who did what. No statement can change a line of the
     * audit, and those that go are the oldest.
     */
    private static final List<String> VERSION_10 =
            List.of(
                    """
                    CREATE TABLE document (
                        kind TEXT NOT NULL,
                        name TEXT NOT NULL,
                        body TEXT NOT NULL,
                        PRIMARY KEY (kind, name)
                    ) STRICT, WITHOUT ROWID\
                    """,
                    """
                    CREATE TABLE audit (
                        seq INTEGER PRIMARY KEY,
                        at INTEGER NOT NULL,
                        who TEXT NOT NULL,
                        place TEXT NOT NULL,
                        action TEXT NOT NULL,
                        subject TEXT NOT NULL,
                        outcome TEXT NOT NULL
                    ) STRICT\
                    """,
                    "CREATE INDEX audit_at ON audit (at)",
                    """
                    CREATE TRIGGER audit_is_final BEFORE UPDATE ON audit BEGIN
                        SELECT RAISE(ABORT, 'a line of the audit is never changed');
                    END\
                    """);

    static final Schema CURRENT =
            new Schema(
                    List.of(
                            VERSION_1,
                            VERSION_2,
                            VERSION_3,
                            VERSION_4,
                            VERSION_5,
                            VERSION_6,
                            VERSION_7,
                            VERSION_8,
                            VERSION_9,
                            VERSION_10));

    int version() {
        return migrations.size();
    }

    /** Brings an empty or older file to this version; refuses a newer one and a stranger's. */
    void bringUp(Connection connection, Path file) throws JournalException, SQLException {
        int found = pragma(connection, "user_version");
        if (found > version()) {
            throw new JournalException(
                    "journal %s was written by a newer Fairlead (schema %d, this one knows %d); "
                                    .formatted(file, found, version())
                            + "upgrade Fairlead or use another FAIRLEAD_HOME",
                    null);
        }
        if (!isEmpty(connection) && pragma(connection, "application_id") != APPLICATION_ID) {
            throw new JournalException(
                    file + " is a SQLite file of another program, not a journal of Fairlead", null);
        }
        for (int next = found + 1; next <= version(); next++) migrate(connection, next);
    }

    static boolean isEmpty(Connection connection) throws SQLException {
        return pragma(connection, "user_version") == 0 && pragma(connection, "schema_version") == 0;
    }

    private void migrate(Connection connection, int to) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            try {
                for (String sql : migrations.get(to - 1)) statement.execute(sql);
                statement.execute("PRAGMA user_version = " + to);
                statement.execute("COMMIT");
            } catch (SQLException e) {
                rollBack(connection);
                throw e;
            }
        }
    }

    static void rollBack(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("ROLLBACK");
        } catch (SQLException _) {
            // SQLite has rolled back by itself after some errors, and then knows no transaction.
        }
    }

    static int pragma(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                var rows = statement.executeQuery("PRAGMA " + name)) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }
}
