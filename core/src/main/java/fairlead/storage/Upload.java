package fairlead.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** A file or a folder of this machine on its way to a storage. */
final class Upload {
    /** Bounds what is remembered; files beyond them travel without being compared. */
    private static final int COMPARED_MAX = 100_000;

    /** Bytes that are in work at once are counted in these, so that small files cost something. */
    private static final int UNIT_BYTES = 64 * 1024;

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
                uploadFile(from, bytes, to);
                return;
            }
            if (!Files.isDirectory(from)) throw new StorageException("there is no " + from);
            Files.walkFileTree(from, new Counting(from, to));
            progress.foundAll();
            lookAt(to);
            try (var files = new Parallel(Transfer.FILES_AT_ONCE)) {
                Files.walkFileTree(from, new Sending(from, to, files));
                files.finish();
            }
        } catch (IOException problem) {
            throw Ended.failed(from + " was not taken to " + to, problem);
        }
    }

    /** Remembers what can be compared. */
    private void lookAt(Address folder) throws StorageException {
        Optional<Entry> top = storage.stat(folder);
        if (top.isEmpty() || !top.get().isFolder()) return;
        storage.list(
                folder,
                Storage.Depth.ALL,
                entry -> {
                    if (!entry.md5().isEmpty() && there.size() < COMPARED_MAX)
                        there.put(entry.address(), entry);
                });
    }

    /** Walks a folder. Links are not followed: what they lead to may be anything. */
    private abstract static class Walk extends SimpleFileVisitor<Path> {
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

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes seen)
                throws IOException {
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
            try {
                if (!seen.isRegularFile()) {
                    throw new StorageException(
                            file + " is no file and no folder, so it cannot be uploaded");
                }
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
    }

    private final class Sending extends Walk {
        private final Parallel files;

        Sending(Path from, Address to, Parallel files) {
            super(from, to);
            this.files = files;
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
                try (InputStream in = watched(from, to)) {
                    storage.upload(in, to);
                }
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
        MessageDigest md5 = Verifier.md5();
        md5.update(Files.readAllBytes(from));
        return Base64.getEncoder().encodeToString(md5.digest()).equals(old.md5());
    }
}
