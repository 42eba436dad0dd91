package fairlead.server.launch;

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
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A folder for each job whose sender has named none, as one who submits by HTTP stands nowhere on
 * this machine. A job asks for it by naming the folder of all of them; its attempts find there what
 * those before have left. It goes with the job, or with an attempt that left nothing in it.
 */
public final class OwnFolders implements LaunchStep {
    /** The server's home is closed to other accounts; only a server of root's runs jobs as them. */
    private static final Path FOR_OTHERS = Path.of("/var/lib/fairlead/folders");

    private static final Set<PosixFilePermission> PRIVATE =
            PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> PASSABLE =
            PosixFilePermissions.fromString("rwx--x--x");

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
        if (!asks) return spec;
        Path parent = otherAccount(spec).isPresent() ? FOR_OTHERS : all;
        return spec.inFolder(parent.resolve(attempt.job().text()).toString());
    }

    @Override
    public Effect.Launch prepare(Effect.Launch launch) throws EngineException {
        JobSpec spec = launch.job().spec();
        JobSpec entered = entered(launch.attempt(), spec);
        if (entered == spec) return launch;
        Path folder = Path.of(entered.workingFolder());
        try {
            Optional<String> other = otherAccount(spec);
            if (!Files.isDirectory(folder)) {
                if (other.isPresent()) {
                    make(FOR_OTHERS.getParent(), PASSABLE);
                    make(FOR_OTHERS, PASSABLE);
                } else {
                    make(all, PRIVATE);
                }
                make(folder, PRIVATE);
            }
            if (other.isPresent()) give(folder, other.get());
        } catch (IOException problem) {
            throw new EngineException(folder + " cannot be made: " + problem.getMessage(), problem);
        }
        return launch.asking(entered);
    }

    /** The account that the tasks run as, where it differs from the server's. */
    private static Optional<String> otherAccount(JobSpec spec) {
        return spec.user().filter(name -> !name.equals(System.getProperty("user.name")));
    }

    /** Whatever the umask is. */
    private static void make(Path folder, Set<PosixFilePermission> permissions) throws IOException {
        if (Files.isDirectory(folder)) return;
        Files.createDirectory(folder);
        Files.setPosixFilePermissions(folder, permissions);
    }

    private static void give(Path folder, String account) throws IOException {
        Files.setOwner(
                folder,
                folder.getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName(account));
    }

    private List<Path> places(JobId job) {
        return List.of(all.resolve(job.text()), FOR_OTHERS.resolve(job.text()));
    }

    @Override
    public void clear(AttemptId attempt) throws EngineException {
        try {
            for (Path folder : places(attempt.job())) Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException _) {
            // Its owner may want what is there.
        } catch (IOException problem) {
            throw new EngineException(problem.getMessage(), problem);
        }
    }

    @Override
    public void clear(JobId job) throws EngineException {
        for (Path folder : places(job)) if (Files.exists(folder)) delete(folder);
    }

    private static void delete(Path folder) throws EngineException {
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
