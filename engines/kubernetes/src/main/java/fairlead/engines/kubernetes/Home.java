package fairlead.engines.kubernetes;

import fairlead.engine.EngineException;
import fairlead.engine.OwnerOnly;
import fairlead.job.AttemptId;
import fairlead.job.JobId;

import java.io.Closeable;
import java.io.IOException;
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
 * The engine's folder, held by one engine at a time: in {@code id} the mark on all its pods, in
 * {@code live} a file for each attempt that is launched and not forgotten, and in {@code
 * attempts/JOB} the logs and orders of all attempts of a job.
 */
final class Home implements Closeable {
    private static final int ID_BYTES = 8;

    private final Path path;
    private final FileChannel lock;
    private final String server;

    private Home(Path path, FileChannel lock, String server) {
        this.path = path;
        this.lock = lock;
        this.server = server;
    }

    static Home open(Path path) throws IOException, EngineException {
        OwnerOnly.makeFolder(path.resolve("attempts"));
        OwnerOnly.makeFolder(path.resolve("live"));
        var lock = OwnerOnly.lock(path);
        return new Home(path, lock, server(path.resolve("id")));
    }

    private static String server(Path file) throws IOException {
        if (!Files.exists(file)) {
            var dice = new byte[ID_BYTES];
            new SecureRandom().nextBytes(dice);
            OwnerOnly.replace(file, HexFormat.of().formatHex(dice) + "\n");
        }
        return Files.readString(file).strip();
    }

    /** The value of the label {@code fairlead/server} on everything that is ours. */
    String server() {
        return server;
    }

    List<AttemptRecord> live() throws IOException {
        var records = new ArrayList<AttemptRecord>();
        try (var files = Files.newDirectoryStream(path.resolve("live"), "*.attempt")) {
            for (Path file : files) records.add(AttemptRecord.parse(Files.readString(file)));
        }
        return records;
    }

    void keep(AttemptRecord record) throws IOException {
        OwnerOnly.replace(file(record.attempt()), record.text());
    }

    void drop(AttemptId attempt) throws IOException {
        Files.deleteIfExists(file(attempt));
    }

    private Path file(AttemptId attempt) {
        return path.resolve("live")
                .resolve(attempt.job().text() + "." + attempt.number() + ".attempt");
    }

    AttemptFiles files(AttemptId attempt) {
        return new AttemptFiles(folder(attempt.job()), attempt.number());
    }

    private Path folder(JobId job) {
        return path.resolve("attempts").resolve(job.text());
    }

    /** The storage that was made for a job: a namespace and a name in each line. */
    List<String> claims(JobId job) throws IOException {
        try {
            return Files.readAllLines(folder(job).resolve("claims"));
        } catch (NoSuchFileException _) {
            return List.of();
        }
    }

    void keepClaims(JobId job, List<String> claims) throws IOException {
        OwnerOnly.makeFolder(folder(job));
        OwnerOnly.replace(folder(job).resolve("claims"), String.join("\n", claims) + "\n");
    }

    void delete(JobId job) throws IOException {
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
    public void close() throws IOException {
        lock.close();
    }
}
