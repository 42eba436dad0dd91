package fairlead.server.runtime;

import fairlead.engine.EngineException;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.JobSpec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A folder for each job whose sender has named none, as one who submits by HTTP stands nowhere on
 * this machine. A job asks for it by naming the folder of all of them; its attempts find there what
 * those before have left. It goes with the job, or with an attempt that left nothing in it.
 */
public final class OwnFolders implements Groundwork {
    private final Path all;

    /**
     * @param all has a folder for each job that needs one
     */
    public OwnFolders(Path all) {
        this.all = all;
    }

    /** The working folder that a job names for one of its own. */
    public static Path in(Path home) {
        return home.resolve("folders");
    }

    @Override
    public Optional<String> refuses(JobSpec spec) {
        return Optional.empty();
    }

    @Override
    public JobSpec entered(AttemptId attempt, JobSpec spec) {
        boolean asks = spec.workingFolder().equals(all.toString());
        return asks ? spec.inFolder(folder(attempt.job()).toString()) : spec;
    }

    @Override
    public Effect.Launch lay(Effect.Launch launch) throws EngineException {
        JobSpec spec = launch.job().spec();
        JobSpec entered = entered(launch.attempt(), spec);
        if (entered == spec) return launch;
        Path folder = folder(launch.attempt().job());
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(all);
                Files.createDirectory(
                        folder,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
            }
            if (spec.user().isPresent()) give(folder, spec.user().get());
        } catch (IOException problem) {
            throw new EngineException(folder + " cannot be made: " + problem.getMessage(), problem);
        }
        return launch.asking(entered);
    }

    /** To the account that the tasks run as, which may differ from the server's. */
    private static void give(Path folder, String account) throws IOException {
        if (account.equals(System.getProperty("user.name"))) return;
        Files.setOwner(
                folder,
                folder.getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName(account));
    }

    private Path folder(JobId job) {
        return all.resolve(job.text());
    }

    @Override
    public void clear(AttemptId attempt) throws EngineException {
        try {
            Files.deleteIfExists(folder(attempt.job()));
        } catch (DirectoryNotEmptyException _) {
            // Its owner may want what is there.
        } catch (IOException problem) {
            throw new EngineException(problem.getMessage(), problem);
        }
    }

    @Override
    public void clear(JobId job) throws EngineException {
        Path folder = folder(job);
        if (!Files.exists(folder)) return;
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList())
                Files.deleteIfExists(file);
        } catch (NoSuchFileException _) {
            // Its last attempt was forgotten at the same time.
        } catch (IOException | UncheckedIOException problem) {
            throw new EngineException("cannot delete " + folder + ": " + problem, problem);
        }
    }
}
