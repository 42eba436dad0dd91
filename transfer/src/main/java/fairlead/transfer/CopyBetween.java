package fairlead.transfer;

import fairlead.storage.Address;
import fairlead.storage.Entry;
import fairlead.storage.FollowedList;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;
import fairlead.storage.Transfer;
import fairlead.storage.Words;
import fairlead.storage.file.FileStorage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Copies a file or folder from one cluster's store to another's; between blob stores the bytes do
 * not come through this machine. A file that is there already with the same content is left as it
 * is, so a repeated call goes on where the last one ended.
 */
final class CopyBetween {
    /** Enough to hide the waiting for each file, and far below what accounts allow at once. */
    private static final int COPIES_AT_ONCE = 16;

    /** How many copies are listed before some of them must be done: bounds the memory. */
    private static final int BATCH_MAX = 1_000;

    private final Screen screen;

    CopyBetween(Screen screen) {
        this.screen = screen;
    }

    private record Job(Entry from, Address to) {}

    void copy(DataPath path, Stores.Place from, Stores.Place to) throws Failed, StorageException {
        if (from.address().equals(to.address()) && from.storage() == to.storage()) {
            screen.say(path + " is skipped: both clusters keep it at " + to);
            return;
        }
        Entry entry = from.entry(path, "copy");
        try (var progress = new ProgressLine(screen, path.toString());
                var pool = Executors.newFixedThreadPool(COPIES_AT_ONCE)) {
            if (from.storage() instanceof FileStorage) {
                new Transfer(to.storage(), progress).upload(local(from), to.address());
            } else if (to.storage() instanceof FileStorage) {
                makeFolder(local(to).getParent());
                new Transfer(from.storage(), progress).download(from.address(), local(to));
            } else if (entry.isFolder()) {
                folder(from, to, progress, pool);
            } else {
                batch(List.of(new Job(entry, to.address())), from, to, progress, pool);
            }
            progress.end();
            screen.out()
                    .println(
                            "copied %s from %s to %s: %s, %s, of which %s moved"
                                    .formatted(
                                            path,
                                            from,
                                            to,
                                            Sizes.files(progress.files()),
                                            Sizes.of(progress.bytes()),
                                            Sizes.of(progress.sent())));
        }
    }

    /** A folder of this machine goes as what a user uploads, or comes as what one downloads. */
    private static Path local(Stores.Place place) {
        return Path.of(place.address().path());
    }

    private static void makeFolder(Path folder) throws Failed {
        try {
            Files.createDirectories(folder);
        } catch (IOException problem) {
            throw Failed.refused("cannot make the folder " + folder + ": " + Words.of(problem));
        }
    }

    private static void folder(
            Stores.Place from, Stores.Place to, ProgressLine progress, ExecutorService pool)
            throws StorageException {
        var jobs = new ArrayList<Job>();
        from.storage()
                .list(
                        from.address(),
                        Storage.Depth.ALL,
                        new Storage.Visitor() {
                            @Override
                            public void see(Entry entry) throws StorageException {
                                if (!entry.isFile()) return;
                                Address place = to.address();
                                for (String name : entry.address().below(from.address()))
                                    place = place.child(name);
                                jobs.add(new Job(entry, place));
                                if (jobs.size() < BATCH_MAX) return;
                                batch(jobs, from, to, progress, pool);
                                jobs.clear();
                            }

                            @Override
                            public void seeUnnamed(Address in, String name, long bytes) {
                                var names = new ArrayList<>(in.below(from.address()));
                                names.add(Address.shown(name));
                                Path file = Path.of(String.join("/", names));
                                progress.leftOut(file, FollowedList.UNNAMED);
                            }
                        });
        batch(jobs, from, to, progress, pool);
    }

    /** The first failure ends the rest of the batch, and is reported. */
    private static void batch(
            List<Job> jobs,
            Stores.Place from,
            Stores.Place to,
            ProgressLine progress,
            ExecutorService pool)
            throws StorageException {
        var running = new ArrayList<Future<Void>>();
        for (Job job : jobs) {
            progress.found(job.to, job.from.bytes());
            Callable<Void> task =
                    () -> {
                        one(job, from.storage(), to.storage(), progress);
                        return null;
                    };
            running.add(pool.submit(task));
        }
        try {
            for (Future<Void> each : running) each.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StorageException problem) throw problem;
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new StorageException("interrupted at " + to);
        } finally {
            for (Future<Void> each : running) each.cancel(true);
        }
    }

    private static void one(Job job, Storage from, Storage to, ProgressLine progress)
            throws StorageException {
        Optional<Entry> there = to.stat(job.to);
        if (there.filter(old -> isSame(job.from, old)).isPresent()) {
            progress.skipped(job.to, job.from.bytes());
        } else {
            to.copyFrom(from, job.from.address(), job.to);
            progress.moved(job.to, job.from.bytes());
        }
        progress.finished(job.to);
    }

    /** Large files have no checksum: the store copies them anew, but by itself. */
    private static boolean isSame(Entry from, Entry there) {
        return there.isFile()
                && there.bytes() == from.bytes()
                && !from.md5().isEmpty()
                && from.md5().equals(there.md5());
    }
}
