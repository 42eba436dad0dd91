package fairlead.storage;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Moves a file or a whole folder between a storage and this machine, or inside a storage. Each file
 * appears under its name when it is whole; a folder that failed midway keeps the files that came.
 * An interrupt of the thread ends it with a {@link StorageException}.
 */
public final class Transfer {
    /** Large enough that calls cost little beside the bytes, small enough for many at once. */
    private static final int BUFFER_BYTES = 128 * 1024;

    private final Storage storage;
    private final Progress progress;

    public Transfer(Storage storage, Progress progress) {
        this.storage = storage;
        this.progress = progress;
    }

    /** Brings a file to be the file {@code to}, or a folder to be the folder {@code to}. */
    public void download(Address from, Path to) throws StorageException {
        Entry entry = existing(from);
        if (entry.isFile()) {
            downloadFile(from, to);
            return;
        }
        makeLocal(to);
        storage.list(
                from,
                Storage.Depth.ALL,
                found -> {
                    Path place = to;
                    for (String name : found.address().below(from)) place = place.resolve(name);
                    switch (found.kind()) {
                        case FOLDER -> makeLocal(place);
                        case FILE -> downloadFile(found.address(), place);
                        case OTHER -> throw unreadable(found.address());
                    }
                });
    }

    private void downloadFile(Address from, Path to) throws StorageException {
        progress.moved(from, 0);
        Path part = part(to);
        try {
            try (InputStream in = storage.download(from);
                    OutputStream out = Files.newOutputStream(part)) {
                pump(from, in, out);
            }
            Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException problem) {
            throw Ended.failed(from + " was not brought to " + to, problem);
        } finally {
            removeQuietly(part);
        }
    }

    private void pump(Address file, InputStream in, OutputStream out)
            throws IOException, StorageException {
        var buffer = new byte[BUFFER_BYTES];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            Ended.ifInterrupted(file);
            out.write(buffer, 0, count);
            progress.moved(file, count);
        }
    }

    private static Path part(Path file) {
        Random random = ThreadLocalRandom.current();
        return file.resolveSibling(Storage.PART_PREFIX + Long.toHexString(random.nextLong()));
    }

    private static void removeQuietly(Path part) throws StorageException {
        try {
            Files.deleteIfExists(part);
        } catch (IOException problem) {
            throw Ended.failed(part + " is left over", problem);
        }
    }

    private static void makeLocal(Path folder) throws StorageException {
        try {
            Files.createDirectories(folder);
        } catch (IOException problem) {
            throw Ended.failed("cannot make the folder " + folder, problem);
        }
    }

    /** Takes a file to be the file {@code to}, or a folder to be the folder {@code to}. */
    public void upload(Path from, Address to) throws StorageException {
        if (Files.isRegularFile(from)) {
            uploadFile(from, to);
            return;
        }
        if (!Files.isDirectory(from)) throw new StorageException("there is no " + from);
        try {
            Files.walkFileTree(from, new Uploading(from, to));
        } catch (Ended ended) {
            throw Ended.failed(from.toString(), ended);
        } catch (IOException problem) {
            throw Ended.failed(from + " was not taken to " + to, problem);
        }
    }

    /** Links are not followed: what they lead to may be anything. */
    private final class Uploading extends SimpleFileVisitor<Path> {
        private final Path from;
        private final Address to;

        Uploading(Path from, Address to) {
            this.from = from;
            this.to = to;
        }

        private Address place(Path file) throws StorageException {
            Address place = to;
            if (file.equals(from)) return place;
            for (Path name : from.relativize(file)) place = place.child(name.toString());
            return place;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes seen)
                throws IOException {
            try {
                storage.makeFolder(place(folder));
            } catch (StorageException reason) {
                throw new Ended(reason);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes seen) throws IOException {
            try {
                if (!seen.isRegularFile()) {
                    throw new StorageException(
                            file + " is no file and no folder, so it cannot be uploaded");
                }
                uploadFile(file, place(file));
            } catch (StorageException reason) {
                throw new Ended(reason);
            }
            return FileVisitResult.CONTINUE;
        }
    }

    private void uploadFile(Path from, Address to) throws StorageException {
        progress.moved(to, 0);
        try (InputStream in = new Watched(Files.newInputStream(from), to)) {
            storage.upload(in, to);
        } catch (IOException problem) {
            throw Ended.failed(from + " was not taken to " + to, problem);
        }
    }

    /** Tells the progress what a storage has read, and lets it and an interrupt end the reading. */
    private final class Watched extends FilterInputStream {
        private final Address file;

        Watched(InputStream in, Address file) {
            super(in);
            this.file = file;
        }

        @Override
        public int read() throws IOException {
            int one = in.read();
            if (one >= 0) moved(1);
            return one;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count = in.read(buffer, offset, Math.min(length, BUFFER_BYTES));
            if (count > 0) moved(count);
            return count;
        }

        private void moved(long bytes) throws IOException {
            try {
                Ended.ifInterrupted(file);
                progress.moved(file, bytes);
            } catch (StorageException reason) {
                throw new Ended(reason);
            }
        }
    }

    /** Copies a file or a folder inside the storage. */
    public void copy(Address from, Address to) throws StorageException {
        Entry entry = existing(from);
        if (to.isIn(from)) throw new StorageException(from + " cannot be copied into itself");
        if (entry.isFile()) {
            copyFile(entry, to);
            return;
        }
        storage.makeFolder(to);
        storage.list(
                from,
                Storage.Depth.ALL,
                found -> {
                    Address place = to;
                    for (String name : found.address().below(from)) place = place.child(name);
                    switch (found.kind()) {
                        case FOLDER -> storage.makeFolder(place);
                        case FILE -> copyFile(found, place);
                        case OTHER -> throw unreadable(found.address());
                    }
                });
    }

    private void copyFile(Entry from, Address to) throws StorageException {
        Ended.ifInterrupted(to);
        progress.moved(to, 0);
        storage.copy(from.address(), to);
        progress.moved(to, from.bytes());
    }

    private Entry existing(Address address) throws StorageException {
        Entry entry =
                storage.stat(address)
                        .orElseThrow(() -> new StorageException("there is no " + address));
        if (entry.kind() == Entry.Kind.OTHER) throw unreadable(address);
        return entry;
    }

    private static StorageException unreadable(Address address) {
        return new StorageException(
                address + " is no file and no folder of its storage, so it is not read");
    }
}
