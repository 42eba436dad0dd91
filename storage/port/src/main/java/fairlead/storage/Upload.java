package fairlead.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** A file or a folder of this machine on its way to a storage. */
final class Upload {
    /** Bounds what is remembered; files beyond them travel without being compared. */
    private static final int COMPARED_MAX = 100_000;

    /** Bytes that are in work at once are counted in these, so that small files cost something. */
    private static final int UNIT_BYTES = 64 * 1024;

    private static final String LEADS_OUT = "the link leads out of the folder";

    private final Storage storage;
    private final Progress progress;
    private final Map<Address, Entry> there = new HashMap<>();
    private final Semaphore units = new Semaphore(Transfer.BYTES_AT_ONCE / UNIT_BYTES);

    Upload(Storage storage, Progress progress) {
        this.storage = storage;
        this.progress = progress;
    }

    void run(Path from, Address to) throws StorageException {
        try {
            if (Files.isRegularFile(from)) {
                long bytes = Files.size(from);
                progress.found(to, bytes);
                progress.foundAll();
                storage.stat(to).filter(Entry::isFile).ifPresent(old -> there.put(to, old));
                uploadFile(from, bytes, to);
                return;
            }
            if (!Files.isDirectory(from)) throw new StorageException("there is no " + from);
            // The folder itself may be a link: it is what was asked for.
            Path top = from.toRealPath();
            walk(top, new Counting(top, to));
            progress.foundAll();
            lookAt(to);
            try (var files = new Parallel(Transfer.FILES_AT_ONCE)) {
                walk(top, new Sending(top, to, files));
                files.finish();
            }
        } catch (IOException problem) {
            throw Ended.failed(from + " was not taken to " + to, problem);
        }
    }

    /** Follows links, and so notices a folder that leads back into itself. */
    private static void walk(Path top, Walk walk) throws IOException {
        Files.walkFileTree(top, Set.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, walk);
    }

    /** Remembers what can be compared. */
    private void lookAt(Address folder) throws StorageException {
        Optional<Entry> top = storage.stat(folder);
        if (top.isEmpty() || !top.get().isFolder()) return;
        storage.list(
                folder,
                Storage.Depth.ALL,
                entry -> {
                    if (entry.isFile() && there.size() < COMPARED_MAX)
                        there.put(entry.address(), entry);
                });
    }

    /**
     * Walks a folder. A link counts as what it leads to where that is inside the folder; what lies
     * elsewhere may be anything, so such a link is left out. So is what the storage could not call
     * as it is called here.
     */
    private abstract class Walk extends SimpleFileVisitor<Path> {
        private final Path from;
        private final Address to;

        Walk(Path from, Address to) {
            this.from = from;
            this.to = to;
        }

        private Address place(Path file) throws StorageException {
            Address place = to;
            if (file.equals(from)) return place;
            for (Path name : from.relativize(file)) place = place.child(name.toString());
            return place;
        }

        void folder(Path folder, Address place) throws IOException, StorageException {}

        abstract void file(Path file, long bytes, Address place) throws StorageException;

        abstract void leftOut(Path file, String reason) throws StorageException;

        /** The folder itself is called in the storage as the user says. */
        private Optional<String> refusal(Path file) {
            return file.equals(from)
                    ? Optional.empty()
                    : storage.refusal(file.getFileName().toString());
        }

        private boolean leadsOut(Path file) throws IOException {
            return Files.isSymbolicLink(file) && !file.toRealPath().startsWith(from);
        }

        private FileVisitResult leaveOut(Path file, String reason) throws IOException {
            try {
                leftOut(file, reason);
            } catch (StorageException ended) {
                throw new Ended(ended);
            }
            return FileVisitResult.SKIP_SUBTREE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException problem) throws IOException {
            if (problem instanceof FileSystemLoopException)
                return leaveOut(file, "the link leads back to a folder that it is in");
            throw problem;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes seen)
                throws IOException {
            if (leadsOut(folder)) return leaveOut(folder, LEADS_OUT);
            Optional<String> refusal = refusal(folder);
            if (refusal.isPresent()) return leaveOut(folder, refusal.get());
            try {
                folder(folder, place(folder));
            } catch (StorageException reason) {
                throw new Ended(reason);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes seen) throws IOException {
            // What a broken download has left is nobody's data.
            boolean isPart = file.getFileName().toString().startsWith(Storage.PART_PREFIX);
            if (isPart) return FileVisitResult.CONTINUE;
            // Where nothing is behind a link, the link itself is what was seen.
            if (seen.isSymbolicLink()) return leaveOut(file, "the link leads nowhere");
            if (!seen.isRegularFile()) return leaveOut(file, "it is no file and no folder");
            if (leadsOut(file)) return leaveOut(file, LEADS_OUT);
            Optional<String> refusal = refusal(file);
            if (refusal.isPresent()) return leaveOut(file, refusal.get());
            try {
                file(file, seen.size(), place(file));
            } catch (StorageException reason) {
                throw new Ended(reason);
            }
            return FileVisitResult.CONTINUE;
        }
    }

    /** Finds all before the first is sent, so that the whole is known. */
    private final class Counting extends Walk {
        Counting(Path from, Address to) {
            super(from, to);
        }

        @Override
        void file(Path file, long bytes, Address place) throws StorageException {
            progress.found(place, bytes);
        }

        @Override
        void leftOut(Path file, String reason) throws StorageException {
            progress.leftOut(file, reason);
        }
    }

    private final class Sending extends Walk {
        private final Parallel files;

        Sending(Path from, Address to, Parallel files) {
            super(from, to);
            this.files = files;
        }

        @Override
        void leftOut(Path file, String reason) {
            // Told when it was counted.
        }

        /** A folder with something in it comes with that. */
        @Override
        void folder(Path folder, Address place) throws IOException, StorageException {
            try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
                if (!children.iterator().hasNext()) storage.makeFolder(place);
            }
        }

        @Override
        void file(Path file, long bytes, Address place) throws StorageException {
            // What is larger goes in pieces, which a storage reads and sends without keeping them.
            int wanted = (int) (Math.min(bytes, Transfer.PIECE_BYTES) / UNIT_BYTES) + 1;
            try {
                units.acquire(wanted);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new StorageException("interrupted at " + place);
            }
            files.start(
                    () -> {
                        try {
                            uploadFile(file, bytes, place);
                        } finally {
                            units.release(wanted);
                        }
                    });
        }
    }

    private void uploadFile(Path from, long bytes, Address to) throws StorageException {
        progress.moved(to, 0);
        try {
            if (bytes > Transfer.PIECE_BYTES) {
                storage.uploadPieces(to, FilePieces.of(from), progress);
            } else if (isThere(from, bytes, to)) {
                progress.skipped(to, bytes);
            } else {
                // Before it is read: what changes meanwhile is another version.
                FileTime modified = Files.getLastModifiedTime(from);
                try (InputStream in = watched(from, to)) {
                    storage.upload(in, to);
                }
                storage.stamp(to, modified.toInstant());
            }
        } catch (IOException problem) {
            throw Ended.failed(from + " was not taken to " + to, problem);
        }
        progress.finished(to);
    }

    private InputStream watched(Path from, Address to) throws IOException {
        return new Watched(Files.newInputStream(from), to, progress, new AtomicLong());
    }

    private boolean isThere(Path from, long bytes, Address to) throws IOException {
        Entry old = there.get(to);
        if (old == null || old.bytes() != bytes) return false;
        if (old.md5().isEmpty())
            return Files.getLastModifiedTime(from).toMillis() == old.modified().toEpochMilli();
        MessageDigest md5 = Verifier.md5();
        md5.update(Files.readAllBytes(from));
        return Base64.getEncoder().encodeToString(md5.digest()).equals(old.md5());
    }
}
