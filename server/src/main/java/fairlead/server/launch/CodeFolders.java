package fairlead.server.launch;

import fairlead.api.launch.FetchedFolder;
import fairlead.api.launch.Misfit;
import fairlead.engine.EngineException;
import fairlead.engine.OwnerOnly;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.storage.Address;
import fairlead.storage.Entry;
import fairlead.storage.Progress;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;
import fairlead.storage.Transfer;
import fairlead.storage.file.FileStorage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The code of jobs whose dialect names a folder of a storage (OpenPAI's codeDir, items O20 and
 * O21): for each attempt it is fetched into a folder of the attempt, {@code JOB/NUMBER}, in which
 * the tasks then begin. Code that cannot be had is no trouble of the engine: the tasks start all
 * the same, say why, and exit with 1, so the job's own rule decides about another try. A folder
 * goes when its attempt is forgotten.
 */
public final class CodeFolders implements LaunchStep {
    /** Half of the calls to engines at a time; the others still start and stop jobs. */
    private static final int FETCHES_MAX = 2;

    /** Code has fewer; a folder of so many empty files would pass the limit of its size. */
    private static final int FILES_MAX = 100_000;

    /** A task whose code cannot be taken ends with this. */
    private static final String REFUSED_EXIT_CODE = "1";

    private static final String SAY = "printf '%s\\n' \"$1\" >&2; exit \"$2\"";

    /** Which user it is does not change what can be refused at the submit. */
    private static final String ANYBODY = "user";

    private final Path work;
    private final LaunchHooks hooks;
    private final Storages storages;
    private final Semaphore fetches = new Semaphore(FETCHES_MAX);

    /**
     * @param work has a folder for each job that needs one
     */
    public CodeFolders(Path work, LaunchHooks hooks, Storages storages) {
        this.work = work;
        this.hooks = hooks;
        this.storages = storages;
    }

    /** Where it is in a server's home. */
    public static Path in(Path home) {
        return home.resolve("work");
    }

    /** The code that the spec asks for, whoever it is for. */
    static Optional<FetchedFolder> code(LaunchHooks hooks, JobSpec spec) {
        return hooks.plan(spec, ANYBODY).code();
    }

    /**
     * Only a kind of storage that is not there, and folders that are not offered: a dialect takes
     * any text, and the tasks say more.
     */
    @Override
    public Optional<String> refuses(JobSpec spec) {
        Optional<FetchedFolder> code = code(hooks, spec);
        if (code.isEmpty()) return Optional.empty();
        try {
            Address address = Address.of(code.get().address());
            return storages.refusal(address).map(words -> code.get().field() + ": " + words);
        } catch (StorageException _) {
            // No address at all, which the tasks say.
            return Optional.empty();
        }
    }

    @Override
    public Effect.Launch prepare(Effect.Launch launch) throws EngineException {
        JobSpec spec = launch.job().spec();
        Optional<FetchedFolder> code = hooks.plan(spec, launch.job().owner()).code();
        if (code.isEmpty()) return launch;
        Path folder = folder(launch.attempt(), spec);
        JobSpec ready = spec.inFolder(folder.toString());
        try {
            if (!Files.isDirectory(folder)) fetch(code.get(), spec, folder);
        } catch (Misfit misfit) {
            ready = saying(spec, misfit.getMessage());
        } catch (StorageException refusal) {
            ready = saying(spec, code.get().field() + ": " + refusal.getMessage());
        }
        return launch.asking(ready);
    }

    /** The same tasks, which do nothing but say why; they begin where the spec says. */
    static JobSpec saying(JobSpec spec, String why) {
        List<String> words = List.of("/bin/sh", "-c", SAY, "sh", why, REFUSED_EXIT_CODE);
        return spec.withRoles(role -> role.running(words));
    }

    /** Whole or not at all: a folder that is there under its name needs no second look. */
    private void fetch(FetchedFolder code, JobSpec spec, Path folder)
            throws Misfit, StorageException, EngineException {
        if (!fetches.tryAcquire())
            throw new EngineException("the code of other jobs is being fetched");
        Path part = folder.resolveSibling(folder.getFileName() + ".part");
        try {
            remove(part, folder.getParent().getParent());
            if (AccountFolders.otherAccount(spec).isPresent())
                AccountFolders.makePassable(folder.getParent());
            OwnerOnly.makeFolder(part);
            String name = code.name();
            Address address = Address.of(code.address());
            try (Storage storage = storages.open(address, code.user())) {
                check(storage, address, code);
                download(storage, address, code, part.resolve(name));
            }
            try (Stream<Path> files = Files.walk(part)) {
                AccountFolders.give(files::iterator, spec);
            }
            Files.move(part, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException problem) {
            throw new EngineException(folder + " cannot be made: " + problem.getMessage(), problem);
        } finally {
            fetches.release();
        }
    }

    private static void check(Storage storage, Address address, FetchedFolder code)
            throws StorageException {
        Optional<Entry> top = storage.stat(address);
        if (top.isEmpty()) throw new StorageException("there is no " + code.address());
        if (!top.get().isFolder()) throw new StorageException(code.address() + " is no folder");
        var bytes = new AtomicLong();
        var count = new AtomicLong();
        storage.list(
                address,
                Storage.Depth.ALL,
                entry -> {
                    refuseCount(code, count.incrementAndGet());
                    if (bytes.addAndGet(entry.bytes()) > 0) refuseSize(code, bytes.get());
                });
        refuseSize(code, bytes.get());
    }

    private static void refuseCount(FetchedFolder code, long count) throws StorageException {
        if (count > FILES_MAX)
            throw new StorageException(code.address() + " has more than " + FILES_MAX + " files");
    }

    private static void refuseSize(FetchedFolder code, long bytes) throws StorageException {
        Optional<String> refusal = code.refusal(bytes);
        if (refusal.isPresent()) throw new StorageException(refusal.get());
    }

    /** Counts again: the folder may have grown since it was looked at. */
    private static void download(Storage storage, Address address, FetchedFolder code, Path to)
            throws StorageException {
        var bytes = new AtomicLong();
        var count = new AtomicLong();
        Progress limit =
                new Progress() {
                    @Override
                    public void moved(Address file, long moved) throws StorageException {
                        if (bytes.addAndGet(moved) > 0) refuseSize(code, bytes.get());
                    }

                    @Override
                    public void found(Address file, long bytes) throws StorageException {
                        refuseCount(code, count.incrementAndGet());
                    }

                    /** Nobody would see it named, and code that lacks a file fails later. */
                    @Override
                    public void leftOut(Path file, String reason) throws StorageException {
                        throw new StorageException(
                                file.getFileName() + " of " + code.address() + ": " + reason);
                    }
                };
        new Transfer(storage, limit).download(address, to);
    }

    private Path folder(AttemptId attempt, JobSpec spec) {
        return folder(AccountFolders.place(work, spec), attempt);
    }

    private static Path folder(Path all, AttemptId attempt) {
        return all.resolve(attempt.job().text()).resolve(Integer.toString(attempt.number()));
    }

    @Override
    public JobSpec entered(AttemptId attempt, JobSpec spec) {
        return code(hooks, spec).isEmpty() ? spec : spec.inFolder(folder(attempt, spec).toString());
    }

    @Override
    public void clear(AttemptId attempt) throws EngineException {
        for (Path all : AccountFolders.places(work)) {
            Path folder = folder(all, attempt);
            if (!Files.exists(folder.getParent())) continue;
            clear(folder, all);
            clear(folder.resolveSibling(folder.getFileName() + ".part"), all);
        }
    }

    @Override
    public void clear(JobId job) throws EngineException {
        for (Path all : AccountFolders.places(work)) clear(all.resolve(job.text()), all);
    }

    private static void clear(Path folder, Path all) throws EngineException {
        try {
            remove(folder, all);
        } catch (StorageException problem) {
            throw new EngineException(problem.getMessage(), problem);
        }
    }

    /** Tasks may have left links there, and these are not followed. */
    private static void remove(Path folder, Path all) throws StorageException {
        if (!Files.exists(all)) return;
        try (var files = FileStorage.open(Address.of("file:" + all))) {
            files.delete(Address.of("file:" + folder));
        }
    }
}
