package fairlead.journals.sqlite;

import fairlead.api.client.HomeFolder;
import fairlead.journal.JournalException;
import fairlead.journals.sql.SqlJournal;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * A journal in one SQLite file. Every commit is on the disk when it returns. One connection writes;
 * readers have their own and never wait for it, nor it for them. While it is open, no other process
 * can open it; a lock of the kernel sees to that, which a killed server cannot leave behind.
 */
public final class SqliteJournal extends SqlJournal {
    private final JournalFile file;
    private final SqliteWriter writer;

    private SqliteJournal(JournalFile file, SqliteWriter writer) {
        super(file, writer);
        this.file = file;
        this.writer = writer;
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
        return new SqliteJournal(file, SqliteWriter.open(file, schema, true).orElseThrow());
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
        return SqliteWriter.open(file, Schema.CURRENT, false)
                .map(writer -> new SqliteJournal(file, writer));
    }

    /** Whether a failure is about the file's content, which only another file mends. */
    public static boolean isDamage(JournalException failure) {
        return failure.getCause() instanceof SQLException cause && Failures.isDamage(cause);
    }

    /**
     * Writes a copy as of now into a new file that only its owner may read; commits go on
     * meanwhile. When this returns, the copy is on the disk; when it throws, there is no file.
     */
    public void backup(Path target) throws JournalException {
        Backup.write(file, target.toAbsolutePath());
    }

    /** What fills a journal. */
    public interface Filling {
        void into(SqlJournal empty) throws JournalException;
    }

    /**
     * Makes a new file of whatever fills it, which only its owner may read. When this returns, it
     * is on the disk; when it throws, there is no file.
     *
     * @param home where SQLite's own code is kept
     */
    public static void fill(Path path, Path home, Filling filling) throws JournalException {
        SqliteLibrary.unpack(home.resolve("native"));
        Path target = path.toAbsolutePath();
        boolean done = false;
        try {
            JournalFile.createPrivate(target);
            try (var journal = open(target)) {
                filling.into(journal);
            }
            JournalFile.sync(target);
            JournalFile.sync(target.getParent());
            done = true;
        } catch (FileAlreadyExistsException e) {
            done = true;
            throw new JournalException("the backup would overwrite a file: " + target, e);
        } catch (IOException e) {
            throw new JournalException("the backup cannot be written: " + HomeFolder.reason(e), e);
        } finally {
            if (!done) target.toFile().delete();
        }
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
}
