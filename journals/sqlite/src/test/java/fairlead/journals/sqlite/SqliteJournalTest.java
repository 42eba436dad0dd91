package fairlead.journals.sqlite;

import static fairlead.journal.JournalFixtures.NOON;
import static fairlead.journal.JournalFixtures.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.journal.JournalException;
import fairlead.journal.JournalFixtures.Life;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The file behind the journal: how it is made, grows up, and is refused. */
class SqliteJournalTest {
    private static final int VERSION = Schema.CURRENT.migrations().size();

    @TempDir Path folder;

    @Test
    void folderAndFilesAreForTheirOwnerAlone() throws Exception {
        Path file = folder.resolve("a/b/journal.db");
        try (var journal = SqliteJournal.open(file)) {
            keep(journal, Life.of(job(1)));
            assertEquals("rwx------", mode(folder.resolve("a")));
            assertEquals("rwx------", mode(folder.resolve("a/b")));
            for (String end : List.of("", "-wal")) {
                assertEquals("rw-------", mode(folder.resolve("a/b/journal.db" + end)), end);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a?mode=memory", "a b", "50%25", "é€", "#1", "file:x", "a'b"})
    void theFoldersNameMayBeOdd(String name) throws Exception {
        Path file = folder.resolve(name).resolve("journal.db");
        Job job = job(1);
        try (var journal = SqliteJournal.open(file)) {
            keep(journal, Life.of(job));
        }
        assertTrue(Files.size(file) > 0);
        try (var journal = SqliteJournal.open(file)) {
            assertEquals(List.of(job), journal.unfinished());
        }
    }

    @Test
    void everyCommitIsSyncedToTheDisk() throws Exception {
        var file = new JournalFile(folder.resolve("journal.db").toAbsolutePath());
        SqliteJournal.open(file.path()).close();
        try (var writer = file.writer();
                var statement = writer.createStatement();
                var mode = statement.executeQuery("PRAGMA journal_mode")) {
            assertEquals("wal", mode.getString(1));
            assertEquals(2, Schema.pragma(writer, "synchronous"), "FULL");
            assertEquals(1, Schema.pragma(writer, "foreign_keys"));
        }
    }

    @Test
    void aReaderCannotWrite() throws Exception {
        var file = new JournalFile(folder.resolve("journal.db").toAbsolutePath());
        SqliteJournal.open(file.path()).close();
        try (var reader = file.reader();
                var statement = reader.createStatement()) {
            assertThrows(SQLException.class, () -> statement.execute("DELETE FROM job"));
        }
    }

    /** The schema as it may look once it has been changed again. */
    private static Schema currentAnd(List<List<String>> later) {
        var migrations = new ArrayList<>(Schema.CURRENT.migrations());
        migrations.addAll(later);
        return new Schema(migrations);
    }

    @Test
    void aJournalOfANewerFairleadIsRefusedAndLeftAlone() throws Exception {
        Path file = folder.resolve("journal.db");
        Schema newer = currentAnd(List.of(List.of(), List.of()));
        SqliteJournal.open(file, newer).close();
        byte[] before = Files.readAllBytes(file);
        var e = assertThrows(JournalException.class, () -> SqliteJournal.open(file));
        assertEquals(
                "journal "
                        + file
                        + " was written by a newer Fairlead (schema %d, this one knows %d); "
                                .formatted(VERSION + 2, VERSION)
                        + "upgrade Fairlead or use another FAIRLEAD_HOME",
                e.getMessage());
        assertEquals(-1, java.util.Arrays.mismatch(before, Files.readAllBytes(file)));
    }

    @Test
    void anOlderJournalIsBroughtUpWithEverythingInIt() throws Exception {
        Path file = folder.resolve("journal.db");
        Life life = Life.of(job(1)).started();
        try (var journal = SqliteJournal.open(file)) {
            keep(journal, life);
        }
        Schema next =
                currentAnd(
                        List.of(
                                List.of(
                                        "ALTER TABLE job ADD COLUMN colour TEXT DEFAULT 'blue'",
                                        "CREATE INDEX job_colour ON job (colour)")));
        try (var journal = SqliteJournal.open(file, next)) {
            assertEquals(List.of(life.job()), journal.unfinished());
            assertEquals(life.facts(), journal.history(life.job().id()));
        }
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            assertEquals(VERSION + 1, Schema.pragma(connection, "user_version"));
        }
        SqliteJournal.open(file, next).close();
    }

    @Test
    void namesOfPodsOfAnOlderJournalStayUnique() throws Exception {
        var journalFile = new JournalFile(folder.resolve("journal.db"));
        journalFile.create();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + journalFile.path());
                var statement = connection.createStatement()) {
            new Schema(Schema.CURRENT.migrations().subList(0, 4))
                    .bringUp(connection, journalFile.path());
            statement.execute(
                    "INSERT INTO job (id, reversed, owner, submitted, word, priority, attempts,"
                            + " failures, losses, served, state, pod) VALUES ('a_1_00000001',"
                            + " '10000000_1_a', 'ann', 0, 'queued', 0, 0, 0, 0, 0, '{}',"
                            + " 'vision/train-0')");
        }
        try (var journal = SqliteJournal.open(journalFile.path())) {
            assertEquals(
                    Optional.of(new JobId("a_1_00000001")), journal.holderOf("pod:vision/train-0"));
        }
    }

    @Test
    void aMigrationThatFailsChangesNothing() throws Exception {
        Path file = folder.resolve("journal.db");
        Life life = Life.of(job(1));
        try (var journal = SqliteJournal.open(file)) {
            keep(journal, life);
        }
        Schema broken =
                currentAnd(List.of(List.of("DELETE FROM job", "ALTER TABLE nowhere ADD COLUMN x")));
        assertThrows(JournalException.class, () -> SqliteJournal.open(file, broken));
        try (var journal = SqliteJournal.open(file)) {
            assertEquals(List.of(life.job()), journal.unfinished());
        }
    }

    @Test
    void aFileThatIsNotSqliteIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("journal.db"), "my notes\n".repeat(1_000));
        var e = assertThrows(JournalException.class, () -> SqliteJournal.open(file));
        assertEquals("the journal is damaged or not a SQLite file: " + file, e.getMessage());
        assertEquals("my notes\n".repeat(1_000), Files.readString(file));
    }

    @Test
    void aSqliteFileOfAnotherProgramIsRefused() throws Exception {
        Path file = folder.resolve("journal.db");
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE song (title TEXT)");
        }
        var e = assertThrows(JournalException.class, () -> SqliteJournal.open(file));
        assertEquals(
                file + " is a SQLite file of another program, not a journal of Fairlead",
                e.getMessage());
    }

    @Test
    void aDamagedJournalSaysSo() throws Exception {
        Path file = folder.resolve("journal.db");
        try (var journal = SqliteJournal.open(file)) {
            for (int n = 1; n < 200; n++) keep(journal, Life.of(job(n)));
        }
        byte[] bytes = Files.readAllBytes(file);
        // The first page stays, so that the file is still taken for a database.
        java.util.Arrays.fill(bytes, 4_096, bytes.length, (byte) 0x5a);
        Files.write(file, bytes);
        try (var journal = SqliteJournal.open(file)) {
            var e = assertThrows(JournalException.class, journal::unfinished);
            assertTrue(
                    e.getMessage().startsWith("the journal is damaged (SQLITE_CORRUPT"),
                    e::getMessage);
            assertTrue(e.getMessage().endsWith("restore a backup: " + file), e::getMessage);
        } catch (JournalException e) {
            assertTrue(e.getMessage().startsWith("the journal is damaged"), e::getMessage);
        }
    }

    @Test
    void aRowThatCannotBeReadIsNamed() throws Exception {
        Path file = folder.resolve("journal.db");
        Job job = job(1);
        try (var journal = SqliteJournal.open(file)) {
            keep(journal, Life.of(job));
        }
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.execute("UPDATE job SET state = '{\"state\":\"dreaming\"}'");
        }
        try (var journal = SqliteJournal.open(file)) {
            var e = assertThrows(JournalException.class, () -> journal.find(job.id()));
            assertTrue(e.getMessage().contains("the row of " + job.id()), e::getMessage);
            assertEquals(Optional.empty(), journal.find(job(2).id()), "the others can be read");
        }
    }

    /** As flipped bytes leave it: each begins another way, and none is a bug of the server. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE job SET id = 'x' || substr(id, 1, 3)",
                "UPDATE job SET state = replace(state, '2026-', '2x26-')",
                "UPDATE job SET state = substr(state, 3)",
                "UPDATE spec SET body = substr(body, 3)",
                "UPDATE job SET progress = '{'",
            })
    void whateverCannotBeReadFromARowIsDamage(String damage) throws Exception {
        Path file = folder.resolve("journal.db");
        try (var journal = SqliteJournal.open(file)) {
            keep(journal, Life.of(job(1)));
        }
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.execute(damage);
        }
        try (var journal = SqliteJournal.open(file)) {
            var e = assertThrows(JournalException.class, journal::unfinished);
            assertTrue(SqliteJournal.isDamage(e), e::getMessage);
            assertTrue(e.getMessage().startsWith("the journal is damaged ("), e::getMessage);
            assertTrue(e.getMessage().endsWith("restore a backup: " + file), e::getMessage);
        }
    }

    @Test
    void aFolderInItsPlaceIsRefused() throws IOException {
        Path file = Files.createDirectory(folder.resolve("journal.db"));
        var e = assertThrows(JournalException.class, () -> SqliteJournal.open(file));
        assertEquals("the journal is not a file: " + file, e.getMessage());
    }

    @Test
    void aFileInThePlaceOfTheFolderIsRefused() throws IOException {
        Path file = Files.createFile(folder.resolve("home")).resolve("journal.db");
        var e = assertThrows(JournalException.class, () -> SqliteJournal.open(file));
        assertTrue(e.getMessage().startsWith("the journal cannot be made: "), e::getMessage);
        assertTrue(e.getMessage().contains(folder.resolve("home").toString()), e::getMessage);
    }

    @Test
    void noOtherProcessCanOpenIt() throws Exception {
        Path file = folder.resolve("journal.db");
        try (var journal = SqliteJournal.open(file)) {
            keep(journal, Life.of(job(1)));
            Process other = CommitUntilKilled.start(file, 0);
            try {
                String errors = new String(other.getErrorStream().readAllBytes(), UTF_8);
                assertTrue(
                        errors.contains("the journal is in use by another process: " + file),
                        errors);
                assertEquals(1, other.waitFor());
            } finally {
                other.destroyForcibly();
            }
            assertEquals(1, journal.unfinished().size());
        }
    }

    @Test
    void aClosedJournalRefusesToRead() throws Exception {
        var journal = SqliteJournal.open(folder.resolve("journal.db"));
        journal.unfinished();
        journal.close();
        assertThrows(JournalException.class, journal::unfinished);
        assertThrows(
                JournalException.class,
                () -> journal.commit(Life.of(job(1)).facts(), List.of(job(1))));
    }

    @Test
    void itKnowsWhatItTakesOnTheDisk() throws Exception {
        try (var journal = SqliteJournal.open(folder.resolve("journal.db"))) {
            long before = journal.bytes();
            keep(journal, Life.of(job(1)).cancelled(NOON));
            assertTrue(before > 0 && journal.bytes() > before);
        }
    }

    private static void keep(SqliteJournal journal, Life life) throws JournalException {
        journal.commit(life.facts(), List.of(life.job()));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void anArraysSpecIsKeptOnceAndGoesWithItsLastJob() throws Exception {
        Path file = folder.resolve("journal.db");
        List<Life> lives = array(3);
        try (var journal = SqliteJournal.open(file)) {
            var facts = lives.stream().flatMap(life -> life.facts().stream()).toList();
            journal.commit(facts, lives.stream().map(Life::job).toList());
            assertEquals(0, count(file, "spec"));
            assertEquals(1, count(file, "array_spec"));
        }
        try (var journal = SqliteJournal.open(file)) {
            List<Job> read = journal.unfinished();
            assertEquals(lives.stream().map(Life::job).toList(), read);
            assertSame(read.getFirst().spec(), read.getLast().spec(), "one object for all");
            assertEquals(Optional.of(read.get(1)), journal.find(read.get(1).id()));
            for (Life life : lives) keep(journal, life.cancelled(NOON.plusSeconds(60)));
            List<JobId> ids = read.stream().map(Job::id).toList();
            journal.delete(ids.subList(0, 2));
            assertEquals(1, count(file, "array_spec"));
            journal.delete(ids);
            assertEquals(0, count(file, "array_spec"));
        }
    }

    @Test
    void theJobsOfAnArrayOfAnOlderJournalKeepTheirOwnSpecs() throws Exception {
        Path file = folder.resolve("journal.db");
        Job job = array(1).getFirst().job();
        try (var journal = SqliteJournal.open(file)) {
            keep(journal, Life.of(job));
        }
        // As schema 6 had it: a row for each job's spec, and none for the array's.
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.execute("INSERT INTO spec SELECT 1, body FROM array_spec");
            statement.execute("DROP TRIGGER forget_array_spec");
            statement.execute("DROP INDEX job_array");
            statement.execute("DROP TABLE array_spec");
            statement.execute("DROP INDEX job_name");
            statement.execute("DROP TABLE metric");
            statement.execute("DROP TABLE document");
            statement.execute("DROP TABLE audit");
            statement.execute("PRAGMA user_version = 6");
        }
        try (var journal = SqliteJournal.open(file)) {
            assertEquals(List.of(job), journal.unfinished());
            keep(journal, Life.of(job).cancelled(NOON.plusSeconds(60)));
            journal.delete(List.of(job.id()));
        }
    }

    /** The jobs of one array, with one spec as a submit makes them. */
    private static List<Life> array(int count) {
        Job first = job(1);
        var lives = new ArrayList<Life>();
        for (int i = 0; i < count; i++) {
            var at = NOON.plusSeconds(i);
            var place = Optional.of(new Job.ArrayPlace("0badcafe", i));
            JobId id = JobId.of("mnist", at, i);
            lives.add(
                    Life.of(Job.submitted(id, first.spec(), "ann", at, Optional.of("r1"), place)));
        }
        return lives;
    }

    private static int count(Path file, String table) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM " + table)) {
            return row.getInt(1);
        }
    }
}
