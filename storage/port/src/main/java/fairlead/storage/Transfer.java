package fairlead.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Moves a file or a whole folder between a storage and this machine, inside a storage or between
 * two, several files at once. Each file appears under its name when it is whole; a folder that
 * failed midway keeps the files that came. A large file is moved in pieces, and another try goes on
 * where the last one ended; a file that is here already does not travel again. An interrupt of the
 * thread ends it with a {@link StorageException}.
 */
public final class Transfer {
    /** Large enough that calls cost little beside the bytes, small enough for many at once. */
    static final int BUFFER_BYTES = 128 * 1024;

    /** Up to here a file goes in one call; what is larger goes in pieces of this size. */
    public static final int PIECE_BYTES = 8 << 20;

    /** Hides the way to a distant storage; more did not make a near one faster. */
    static final int FILES_AT_ONCE = 16;

    /** Of all the files at once: a storage may hold as much of a file as goes in one call. */
    static final int BYTES_AT_ONCE = 48 << 20;

    private final Storage storage;
    private final Progress progress;
    private final Buffers buffers = new Buffers();

    public Transfer(Storage storage, Progress progress) {
        this.storage = storage;
        this.progress = progress;
    }

    /** Brings a file to be the file {@code to}, or a folder to be the folder {@code to}. */
    public void download(Address from, Path to) throws StorageException {
        Entry entry = existing(storage, from);
        if (entry.isFile()) {
            progress.found(from, entry.bytes());
            progress.foundAll();
            downloadFile(entry, to);
            return;
        }
        makeLocal(to);
        try (var files = new Parallel(FILES_AT_ONCE)) {
            FollowedList.of(
                    storage,
                    entry.address(),
                    new FollowedList.Visitor() {
                        @Override
                        public void see(List<String> names, Entry found) throws StorageException {
                            Path there = place(to, names);
                            if (found.isFolder()) {
                                makeLocal(there);
                                return;
                            }
                            progress.found(found.address(), found.bytes());
                            files.start(() -> downloadFile(found, there));
                        }

                        @Override
                        public void leftOut(List<String> names, String reason)
                                throws StorageException {
                            progress.leftOut(place(to, names), reason);
                        }
                    });
            progress.foundAll();
            files.finish();
        }
    }

    private static Path place(Path top, List<String> names) {
        Path place = top;
        for (String name : names) place = place.resolve(name);
        return place;
    }

    private void downloadFile(Entry from, Path to) throws StorageException {
        progress.moved(from.address(), 0);
        var here = new LocalCopy(from, to);
        Content content = from.bytes() > PIECE_BYTES ? storage.content(from.address()) : null;
        if (content == null ? here.isSame() : here.isSame(content)) {
            progress.skipped(from.address(), from.bytes());
        } else if (content == null) {
            downloadSmall(from.address(), to);
            here.stamp();
        } else {
            new LargeDownload(from.address(), content, to, progress, buffers).run();
            here.stamp();
        }
        progress.finished(from.address());
    }

    private void downloadSmall(Address from, Path to) throws StorageException {
        Path part = part(to);
        try {
            try (InputStream in = storage.download(from);
                    OutputStream out = Files.newOutputStream(part)) {
                pump(from, in, out);
            }
            Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException problem) {
            removeQuietly(part);
            throw Ended.failed(from + " was not brought to " + to, problem);
        } catch (StorageException problem) {
            removeQuietly(part);
            throw problem;
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

    /**
     * Takes a file to be the file {@code to}, or a folder to be the folder {@code to}. What the
     * storage has of it already, and can tell by a checksum, does not travel again.
     */
    public void upload(Path from, Address to) throws StorageException {
        new Upload(storage, progress).run(from, to);
    }

    /** Copies a file or a folder inside the storage. */
    public void copy(Address from, Address to) throws StorageException {
        if (to.isIn(from)) throw new StorageException(from + " cannot be copied into itself");
        copyFrom(storage, from, to);
    }

    /** Copies a file or a folder of another storage into this one. */
    public void copyFrom(Storage source, Address from, Address to) throws StorageException {
        Entry entry = existing(source, from);
        if (entry.isFile()) {
            progress.found(to, entry.bytes());
            progress.foundAll();
            copyFile(source, entry, to);
            return;
        }
        // A folder with something in it comes with that.
        Set<Address> empty = new HashSet<>(Set.of(to));
        try (var files = new Parallel(FILES_AT_ONCE)) {
            FollowedList.of(
                    source,
                    entry.address(),
                    new FollowedList.Visitor() {
                        @Override
                        public void see(List<String> names, Entry found) throws StorageException {
                            Address place = to;
                            for (String name : names) place = place.child(name);
                            Address there = place;
                            empty.remove(there.parent());
                            if (found.isFolder()) {
                                empty.add(there);
                                return;
                            }
                            progress.found(there, found.bytes());
                            files.start(() -> copyFile(source, found, there));
                        }

                        @Override
                        public void leftOut(List<String> names, String reason)
                                throws StorageException {
                            progress.leftOut(Path.of(String.join("/", names)), reason);
                        }
                    });
            progress.foundAll();
            files.finish();
        }
        for (Address folder : empty) storage.makeFolder(folder);
    }

    private void copyFile(Storage source, Entry from, Address to) throws StorageException {
        Ended.ifInterrupted(to);
        progress.moved(to, 0);
        if (source == storage) storage.copy(from.address(), to);
        else storage.copyFrom(source, from.address(), to);
        progress.moved(to, from.bytes());
        progress.finished(to);
    }

    private static Entry existing(Storage storage, Address address) throws StorageException {
        Entry entry =
                FollowedList.stat(storage, address)
                        .orElseThrow(() -> new StorageException("there is no " + address));
        if (entry.kind() != Entry.Kind.OTHER) return entry;
        throw new StorageException(
                address + " is no file and no folder of its storage, so it is not read");
    }
}
