package fairlead.journals.sqlite;

import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * SQLite's native code, unpacked once beside the journal. The driver itself unpacks and compares it
 * at each start, which takes longer than opening the journal, and leaves a copy in the temporary
 * folder whenever the server is killed.
 */
final class SqliteLibrary {
    private static final String PATH = "org.sqlite.lib.path";
    private static final String NAME = "org.sqlite.lib.name";

    private SqliteLibrary() {}

    /** Where this fails, the driver goes its own way, and says itself if that fails too. */
    static synchronized void unpack(Path folder) {
        if (System.getProperty(PATH) != null) return;
        String original = LibraryLoaderUtil.getNativeLibName();
        String name = "sqlite-" + SQLiteJDBCLoader.getVersion() + "-" + original;
        try {
            Path library = folder.resolve(name);
            if (!Files.exists(library)) {
                JournalFile.createFolder(folder);
                removeOld(folder);
                copy(LibraryLoaderUtil.getNativeLibResourcePath() + "/" + original, library);
            }
            System.setProperty(NAME, name);
            System.setProperty(PATH, folder.toString());
        } catch (IOException _) {
            // Such as a full disk: opening the journal says it in better words.
        }
    }

    /** Complete or not there: a half copy would crash whoever loads it. */
    private static void copy(String resource, Path library) throws IOException {
        Path part = Files.createTempFile(library.getParent(), "part", null);
        try (InputStream stream = SQLiteJDBCLoader.class.getResourceAsStream(resource)) {
            if (stream == null) throw new FileNotFoundException(resource);
            // Into the file that is there: one in its place would have the mode of the umask.
            try (OutputStream out = Files.newOutputStream(part)) {
                stream.transferTo(out);
            }
            JournalFile.sync(part);
            Files.move(part, library, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Libraries of other versions and halves that a kill left; a server that uses one keeps it. */
    private static void removeOld(Path folder) throws IOException {
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path file : files) Files.deleteIfExists(file);
        }
    }
}
