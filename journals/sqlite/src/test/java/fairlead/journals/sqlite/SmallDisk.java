package fairlead.journals.sqlite;

import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.journal.JournalException;
import fairlead.testing.Root;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A real file system of a few pages' size, so that a full disk is a full disk. Needs root. */
final class SmallDisk implements AutoCloseable {
    private static final String FILLER = "filler";
    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Mounts one below this folder; skips the test for accounts that may not. */
    static SmallDisk mount(Path parent, int kibibytes) throws IOException, JournalException {
        Root.neededToMount();
        // SQLite's library lies beside the first journal of a process, and would keep the disk
        // busy.
        SqliteJournal.open(parent.resolve("first.db")).close();
        Path folder = Files.createDirectory(parent.resolve("disk"));
        String size = "size=" + kibibytes + "k";
        assertTrue(Root.succeeds("mount", "-t", "tmpfs", "-o", size, "tmpfs", folder.toString()));
        return new SmallDisk(folder);
    }

    Path folder() {
        return folder;
    }

    /** Leaves no byte for anyone else. */
    void fill() throws IOException {
        byte[] page = new byte[4_096];
        Arrays.fill(page, (byte) 1);
        try (var stream = Files.newOutputStream(folder.resolve(FILLER))) {
            while (true) stream.write(page);
        } catch (IOException _) {
            // Now it is full.
        }
    }

    void free() throws IOException {
        Files.delete(folder.resolve(FILLER));
    }

    void makeReadOnly() throws IOException {
        if (!Root.succeeds("mount", "-o", "remount,ro", folder.toString())) {
            throw new IOException("cannot make it read-only: " + folder);
        }
    }

    @Override
    public void close() throws IOException {
        if (!Root.succeeds("umount", folder.toString()))
            throw new IOException("still mounted: " + folder);
    }
}
