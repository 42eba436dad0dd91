package fairlead.engines.local.task;

import fairlead.engine.EngineException;
import fairlead.engine.OwnerOnly;
import fairlead.job.AttemptId;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The engine's folder, held by one engine at a time: the {@link LiveList} in {@code live}, and in
 * {@code attempts/JOB/} the files of all attempts of a job.
 */
public final class Home implements Closeable {
    private static final int ID_BYTES = 8;

    /** Enough for the files, but not the logs, of a few dozen tasks started at once. */
    private static final long BYTES_LEFT_LEAST = 512L << 10;

    private final Path path;
    private final FileChannel lock;

    private Home(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    public static Home open(Path path) throws IOException, EngineException {
        OwnerOnly.makeFolder(path.resolve("attempts"));
        var lock = OwnerOnly.lock(path);
        return new Home(path, lock);
    }

    /**
     * Names this engine in the marks of its processes. The folder's inode is a part of it, so an
     * engine on a copy of the folder does not take the processes of the original for its own.
     */
    public String engineId() throws IOException {
        Path file = path.resolve("id");
        var dice = new byte[ID_BYTES];
        new SecureRandom().nextBytes(dice);
        if (!Files.exists(file)) OwnerOnly.replace(file, HexFormat.of().formatHex(dice) + "\n");
        return Files.readString(file).strip() + "." + Files.getAttribute(path, "unix:ino");
    }

    /**
     * A shim on a full disk could not note down its start, and its task would be lost. So it is not
     * started at all. A {@link java.nio.file.FileStore} would tell the space too, but only of file
     * systems in the mount table, where that of a chroot may be missing.
     */
    public void requireSpace() throws IOException, EngineException {
        long left = path.toFile().getUsableSpace();
        if (left < BYTES_LEFT_LEAST) {
            // The space of a folder that is gone is 0 too.
            if (!Files.isDirectory(path)) throw new NoSuchFileException(path.toString());
            throw new EngineException("the disk of " + path + " is full: " + left + " bytes left");
        }
    }

    public Path path() {
        return path;
    }

    public Path live() {
        return path.resolve("live");
    }

    public Path attempts() {
        return path.resolve("attempts");
    }

    public AttemptFiles files(AttemptId attempt) {
        return new AttemptFiles(attempts().resolve(attempt.job().text()), attempt.number());
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
