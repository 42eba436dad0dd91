package fairlead.server.launch;

import fairlead.engine.EngineException;
import fairlead.engine.OwnerOnly;
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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A folder for each job whose sender has named none, as one who submits by HTTP stands nowhere on
 * this machine. A job asks for it by naming the folder of all of them; its attempts find there what
 * those before have left. It goes with the job, or with an attempt that left nothing in it.
 */
public final class OwnFolders implements LaunchStep {
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
        return spec.inFolder(
                AccountFolders.place(all, spec).resolve(attempt.job().text()).toString());
    }

    @Override
    public Effect.Launch prepare(Effect.Launch launch) throws EngineException {
        JobSpec spec = launch.job().spec();
        JobSpec entered = entered(launch.attempt(), spec);
        if (entered == spec) return launch;
        Path folder = Path.of(entered.workingFolder());
        try {
            if (!Files.isDirectory(folder)) {
                if (AccountFolders.otherAccount(spec).isPresent())
                    AccountFolders.makePassable(folder.getParent());
                OwnerOnly.makeFolder(folder);
            }
            AccountFolders.give(List.of(folder), spec);
        } catch (IOException problem) {
            throw new EngineException(folder + " cannot be made: " + problem.getMessage(), problem);
        }
        return launch.asking(entered);
    }

    private List<Path> places(JobId job) {
        return AccountFolders.places(all).stream().map(each -> each.resolve(job.text())).toList();
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
