package fairlead.server.openpai;

import fairlead.dialects.openpai.Addresses;
import fairlead.dialects.openpai.CodeFolder;
import fairlead.dialects.openpai.Invalid;
import fairlead.dialects.openpai.PaiSpec;
import fairlead.engine.EngineException;
import fairlead.engine.OwnerOnly;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.SpecException;
import fairlead.server.runtime.Groundwork;
import fairlead.server.runtime.Storages;
import fairlead.server.wire.PaiOrigin;
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
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The codeDir of OpenPAI's jobs (items O20, O21): for each attempt it is fetched into a folder of
 * the attempt, {@code JOB/NUMBER}, in which the tasks then begin. Code that cannot be had is no
 * trouble of the engine: the tasks start all the same, say why, and exit with 1, so the job's own
 * rule decides about another try. A folder goes when its attempt is forgotten.
 */
public final class CodeFolders implements Groundwork {
    /** Half of the calls to engines at a time; the others still start and stop jobs. */
    private static final int FETCHES_MAX = 2;

    /** Code has fewer; a folder of so many empty files would pass the limit of its size. */
    private static final int FILES_MAX = 100_000;

    private static final String SAY = "printf '%s\\n' \"$1\" >&2; exit \"$2\"";

    private final Path work;
    private final String defaultFsUri;
    private final Storages storages;
    private final Semaphore fetches = new Semaphore(FETCHES_MAX);

    /**
     * @param work has a folder for each job that needs one
     * @param defaultFsUri what {@code $PAI_DEFAULT_FS_URI} stands for
     */
    public CodeFolders(Path work, String defaultFsUri, Storages storages) {
        this.work = work;
        this.defaultFsUri = defaultFsUri;
        this.storages = storages;
    }

    /** The job that the spec was made from, if that is one of OpenPAI with a codeDir. */
    static Optional<PaiSpec.Known> withCode(JobSpec spec) {
        try {
            return PaiOrigin.of(spec).filter(known -> !known.job().codeDir().isEmpty());
        } catch (SpecException unfit) {
            // Only an older server has taken it; it ran without code there.
            return Optional.empty();
        }
    }

    /**
     * Only a kind of storage that is not there, and folders that are not offered: OpenPAI takes any
     * text, and the tasks tell more.
     */
    @Override
    public Optional<String> refuses(JobSpec spec) {
        Optional<PaiSpec.Known> known = withCode(spec);
        if (known.isEmpty()) return Optional.empty();
        // Which user it is does not change either.
        String user = known.get().userOr("user");
        try {
            String codeDir = Addresses.of(known.get().job(), user, defaultFsUri).codeDir();
            return storages.refusal(Address.of(codeDir)).map(words -> "codeDir: " + words);
        } catch (StorageException _) {
            // No address at all, which the tasks say.
            return Optional.empty();
        }
    }

    @Override
    public Effect.Launch lay(Effect.Launch launch) throws EngineException {
        JobSpec spec = launch.job().spec();
        Optional<PaiSpec.Known> known = withCode(spec);
        if (known.isEmpty()) return launch;
        Path folder = folder(launch.attempt());
        String user = known.get().userOr(launch.job().owner());
        String codeDir = Addresses.of(known.get().job(), user, defaultFsUri).codeDir();
        JobSpec ready = spec.inFolder(folder.toString());
        try {
            if (!Files.isDirectory(folder)) fetch(codeDir, user, spec.user(), folder);
        } catch (Invalid | StorageException refusal) {
            ready = saying(spec, "codeDir: " + refusal.getMessage());
        }
        return launch.asking(ready);
    }

    /** The same tasks, which do nothing but tell why; they begin where the spec says. */
    static JobSpec saying(JobSpec spec, String why) {
        String code = Integer.toString(CodeFolder.REFUSED_EXIT_CODE);
        List<String> words = List.of("/bin/sh", "-c", SAY, "sh", why, code);
        return spec.withRoles(role -> role.running(words));
    }

    /** Whole or not at all: a folder that is there under its name needs no second look. */
    private void fetch(String codeDir, String user, Optional<String> account, Path folder)
            throws Invalid, StorageException, EngineException {
        if (!fetches.tryAcquire())
            throw new EngineException("the code of other jobs is being fetched");
        Path part = folder.resolveSibling(folder.getFileName() + ".part");
        try {
            remove(part);
            OwnerOnly.makeFolder(part);
            String name = CodeFolder.name(codeDir);
            Address address = Address.of(codeDir);
            try (Storage storage = storages.open(address, user)) {
                check(storage, address, codeDir);
                download(storage, address, codeDir, part.resolve(name));
            }
            give(part, account);
            Files.move(part, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException problem) {
            throw new EngineException(folder + " cannot be made: " + problem.getMessage(), problem);
        } finally {
            fetches.release();
        }
    }

    private static void check(Storage storage, Address address, String codeDir)
            throws StorageException {
        Optional<Entry> top = storage.stat(address);
        if (top.isEmpty()) throw new StorageException("there is no " + codeDir);
        if (!top.get().isFolder()) throw new StorageException(codeDir + " is no folder");
        var bytes = new AtomicLong();
        var count = new AtomicLong();
        storage.list(
                address,
                Storage.Depth.ALL,
                entry -> {
                    if (count.incrementAndGet() > FILES_MAX)
                        throw new StorageException(
                                codeDir + " has more than " + FILES_MAX + " files");
                    if (bytes.addAndGet(entry.bytes()) > 0) refuseSize(codeDir, bytes.get());
                });
        refuseSize(codeDir, bytes.get());
    }

    private static void refuseSize(String codeDir, long bytes) throws StorageException {
        Optional<String> refusal = CodeFolder.refusal(codeDir, bytes);
        if (refusal.isPresent()) throw new StorageException(refusal.get());
    }

    /** Counts again: the folder may have grown since it was looked at. */
    private static void download(Storage storage, Address address, String codeDir, Path to)
            throws StorageException {
        var bytes = new AtomicLong();
        Progress limit =
                (_, moved) -> {
                    if (bytes.addAndGet(moved) > 0) refuseSize(codeDir, bytes.get());
                };
        new Transfer(storage, limit).download(address, to);
    }

    /** To the account that the tasks run as, which may differ from the server's. */
    private static void give(Path part, Optional<String> account) throws IOException {
        if (account.isEmpty() || account.get().equals(System.getProperty("user.name"))) return;
        UserPrincipal owner =
                part.getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName(account.get());
        try (Stream<Path> files = Files.walk(part)) {
            for (Path file : (Iterable<Path>) files::iterator) Files.setOwner(file, owner);
        }
    }

    private Path folder(AttemptId attempt) {
        return work.resolve(attempt.job().text()).resolve(Integer.toString(attempt.number()));
    }

    @Override
    public JobSpec entered(AttemptId attempt, JobSpec spec) {
        return withCode(spec).isEmpty() ? spec : spec.inFolder(folder(attempt).toString());
    }

    @Override
    public void clear(AttemptId attempt) throws EngineException {
        Path folder = folder(attempt);
        if (!Files.exists(folder.getParent())) return;
        try {
            remove(folder);
            remove(folder.resolveSibling(folder.getFileName() + ".part"));
        } catch (StorageException problem) {
            throw new EngineException(problem.getMessage(), problem);
        }
    }

    @Override
    public void clear(JobId job) throws EngineException {
        try {
            remove(work.resolve(job.text()));
        } catch (StorageException problem) {
            throw new EngineException(problem.getMessage(), problem);
        }
    }

    /** Tasks may have left links there, and these are not followed. */
    private void remove(Path folder) throws StorageException {
        if (!Files.exists(work)) return;
        try (var files = FileStorage.open(Address.of("file:" + work))) {
            files.delete(Address.of("file:" + folder));
        }
    }
}
