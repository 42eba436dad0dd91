package fairlead.engine.remote;

import fairlead.engine.EngineException;
import fairlead.engine.OwnerOnly;
import fairlead.engine.TaskLog;
import fairlead.job.AttemptId;
import fairlead.job.JobId;
import fairlead.job.TaskId;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * The folder of an engine whose tasks run elsewhere, held by one engine at a time: in {@code id}
 * the mark on everything that is its own there, in {@code live} a file for each attempt that is
 * launched and not forgotten, and in {@code attempts/JOB} the logs and orders of all attempts of a
 * job.
 */
public final class RemoteHome implements Closeable {
    private static final Logger LOG = System.getLogger(RemoteHome.class.getName());
    private static final int ID_BYTES = 8;

    private final Path path;
    private final FileChannel lock;
    private final String server;

    private RemoteHome(Path path, FileChannel lock, String server) {
        this.path = path;
        this.lock = lock;
        this.server = server;
    }

    public static RemoteHome open(Path path) throws IOException, EngineException {
        OwnerOnly.makeFolder(path.resolve("attempts"));
        OwnerOnly.makeFolder(path.resolve("live"));
        var lock = OwnerOnly.lock(path);
        return new RemoteHome(path, lock, server(path.resolve("id")));
    }

    private static String server(Path file) throws IOException {
        if (!Files.exists(file)) {
            var dice = new byte[ID_BYTES];
            new SecureRandom().nextBytes(dice);
            OwnerOnly.replace(file, HexFormat.of().formatHex(dice) + "\n");
        }
        return Files.readString(file).strip();
    }

    /** The mark on everything that is ours. */
    public String server() {
        return server;
    }

    /** What was ordered of each attempt that is not forgotten, as {@link #keep} was given it. */
    public List<String> live() throws IOException {
        var records = new ArrayList<String>();
        try (var files = Files.newDirectoryStream(path.resolve("live"), "*.attempt")) {
            for (Path file : files) records.add(Files.readString(file));
        }
        return records;
    }

    public void keep(AttemptId attempt, String record) throws IOException {
        OwnerOnly.replace(file(attempt), record);
    }

    public void drop(AttemptId attempt) throws IOException {
        Files.deleteIfExists(file(attempt));
    }

    private Path file(AttemptId attempt) {
        return path.resolve("live")
                .resolve(attempt.job().text() + "." + attempt.number() + ".attempt");
    }

    public AttemptFiles files(AttemptId attempt) {
        return new AttemptFiles(folder(attempt.job()), attempt.number());
    }

    /** What a task has written, also long after its end. */
    public TaskLog log(AttemptId attempt, TaskId task) throws EngineException {
        TaskLog.requireName(attempt, task);
        return files(attempt).log(task);
    }

    /** Of all attempts of a job; made by whoever writes there. */
    public Path folder(JobId job) {
        return path.resolve("attempts").resolve(job.text());
    }

    public void delete(JobId job) throws IOException {
        Path folder = folder(job);
        if (!Files.exists(folder)) return;
        try (var paths = Files.walk(folder)) {
            for (Path each : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (NoSuchFileException _) {
            // Somebody else was faster.
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException problem) {
            LOG.log(Level.WARNING, "cannot close {0}: {1}", path, problem.getMessage());
        }
    }
}
