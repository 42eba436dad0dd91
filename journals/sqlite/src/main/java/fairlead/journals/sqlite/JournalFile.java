package fairlead.journals.sqlite;

import fairlead.api.client.HomeFolder;
import fairlead.journal.JournalException;
import fairlead.journals.sql.Database;

import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/**
 * The file of a journal, and how it is opened. No other code of the server's process may open it:
 * closing any handle would drop the locks that SQLite holds on it.
 */
record JournalFile(Path path) implements Database {
    /** Holds the indices of a few hundred thousand jobs: ids are random, so all of it is in use. */
    private static final int CACHE_KIBIBYTES = 16 * 1024;

    /** Only another process can be in the way, and that one will not go by itself. */
    private static final int BUSY_MILLIS = 500;

    /** The log beside the file shrinks to this after a burst. */
    private static final int LOG_BYTES_KEPT = 64 << 20;

    private static final FileAttribute<Set<PosixFilePermission>> FOLDER_MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<Set<PosixFilePermission>> FILE_MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** Makes the folder and an empty file where they are missing, for this user alone. */
    void create() throws JournalException {
        try {
            createFolder(path.getParent());
            try {
                createPrivate(path);
            } catch (FileAlreadyExistsException _) {
                if (!Files.isRegularFile(path)) {
                    throw new JournalException("the journal is not a file: " + path, null);
                }
            }
        } catch (IOException e) {
            throw new JournalException("the journal cannot be made: " + HomeFolder.reason(e), e);
        }
        if (!Files.isWritable(path)) {
            throw new JournalException(
                    "the journal cannot be written, it is read-only: " + path, null);
        }
        SqliteLibrary.unpack(path.resolveSibling("native"));
    }

    static void createFolder(Path folder) throws IOException {
        Files.createDirectories(folder, FOLDER_MODE);
    }

    /** Makes a file that only its owner may read, and makes its name durable. */
    static void createPrivate(Path file) throws IOException {
        Files.createFile(file, FILE_MODE);
        sync(file.getParent());
    }

    /** Returns when the file or folder is on the disk. */
    static void sync(Path path) throws IOException {
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** The connection that commits: durable at each commit, also in a power cut. */
    Connection writer() throws SQLException {
        var config = config();
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setJournalSizeLimit(LOG_BYTES_KEPT);
        Connection connection = connect(config);
        try (Statement statement = connection.createStatement();
                var rows = statement.executeQuery("PRAGMA journal_mode = WAL")) {
            if (!rows.next() || !rows.getString(1).equals("wal")) {
                throw new SQLException("it cannot be switched to a write-ahead log");
            }
            statement.execute("PRAGMA cache_size = -" + CACHE_KIBIBYTES);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public Connection reader() throws SQLException {
        var config = config();
        config.setReadOnly(true);
        return connect(config);
    }

    @Override
    public String indexedBy(String index) {
        return " INDEXED BY " + index;
    }

    @Override
    public boolean canHold(String text) {
        return true;
    }

    @Override
    public JournalException told(SQLException cause) {
        return Failures.told("the journal", path, cause);
    }

    /** A file does not go away and come back. */
    @Override
    public boolean isGone(SQLException cause) {
        return false;
    }

    @Override
    public boolean isConstraint(SQLException cause) {
        return Failures.isConstraint(cause);
    }

    private static SQLiteConfig config() {
        var config = new SQLiteConfig();
        // A journal that vanished under a running server must not come back as an empty one.
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        config.setOpenMode(SQLiteOpenMode.OPEN_URI);
        config.setBusyTimeout(BUSY_MILLIS);
        config.enforceForeignKeys(true);
        return config;
    }

    private Connection connect(SQLiteConfig config) throws SQLException {
        // As a URI, because the driver takes what follows a '?' in a plain path for settings.
        // unix-excl locks other processes out, and so keeps the index of the log in plain memory.
        // The
        // default maps it from a file, and a disk that turns read-only then kills the whole JVM.
        String uri = "file:" + path.toUri().getRawPath() + "?vfs=unix-excl";
        return config.createConnection("jdbc:sqlite:" + uri);
    }

    boolean isMissingOrEmpty() throws JournalException {
        try {
            return Files.size(path) == 0;
        } catch (NoSuchFileException _) {
            return true;
        } catch (IOException e) {
            throw new JournalException("the journal cannot be read: " + HomeFolder.reason(e), e);
        }
    }

    /** What the journal takes on the disk. */
    long bytes() throws JournalException {
        try {
            Path log = path.resolveSibling(path.getFileName() + "-wal");
            return Files.size(path) + (Files.exists(log) ? Files.size(log) : 0);
        } catch (IOException e) {
            throw new JournalException("the journal cannot be read: " + HomeFolder.reason(e), e);
        }
    }
}
