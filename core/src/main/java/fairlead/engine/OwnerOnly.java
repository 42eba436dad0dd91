package fairlead.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Folders and files that only the server's own account can use, whatever its umask is. */
public final class OwnerOnly {
    private static final Set<PosixFilePermission> FOLDER =
            PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE =
            PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<?> NEW_FOLDER = PosixFilePermissions.asFileAttribute(FOLDER);
    private static final FileAttribute<?> NEW_FILE = PosixFilePermissions.asFileAttribute(FILE);

    private OwnerOnly() {}

    /** Makes a folder, and those above it, where they are missing. */
    public static void makeFolder(Path folder) throws IOException {
        if (Files.isDirectory(folder)) return;
        Files.createDirectories(folder, NEW_FOLDER);
        // A umask may have taken from its owner too.
        Files.setPosixFilePermissions(folder, FOLDER);
    }

    /** Opens a file, which is made where it is missing; one that is there keeps its mode. */
    public static FileChannel open(Path file, OpenOption... more) throws IOException {
        var options = new HashSet<>(List.of(more));
        options.add(StandardOpenOption.CREATE);
        options.add(StandardOpenOption.WRITE);
        return FileChannel.open(file, options, NEW_FILE);
    }

    /**
     * Opens a folder's file {@code lock} and holds it until the channel is closed: one engine at a
     * time works on a folder.
     */
    public static FileChannel lock(Path folder) throws IOException, EngineException {
        var lock = open(folder.resolve("lock"));
        boolean held = false;
        try {
            held = lock.tryLock() != null;
        } catch (OverlappingFileLockException _) {
            // The other engine is in this very process.
        } finally {
            if (!held) lock.close();
        }
        if (!held) throw new EngineException(folder + " is in use by another server");
        return lock;
    }

    /** Writes a text to a file, as the options say. */
    public static void write(Path file, String text, OpenOption... more) throws IOException {
        try (var channel = open(file, more)) {
            var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) channel.write(bytes);
        }
    }

    /** Readers see the old text or the new one, never a part. */
    public static void replace(Path file, String text) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        // One that a crash has left may have another mode.
        Files.deleteIfExists(fresh);
        write(fresh, text);
        Files.setPosixFilePermissions(fresh, FILE);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
