package fairlead.storage.file;

import fairlead.storage.Address;
import fairlead.storage.Entry;
import fairlead.storage.Piece;
import fairlead.storage.Progress;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;
import fairlead.storage.Words;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A folder of this machine, local or mounted, with addresses such as {@code file:/shared/code}. A
 * link to a file inside the root counts as that file; every other link is shown and removed, and
 * followed only by who asks for {@link #folderBehind the folder behind it}. Links are looked at
 * before each call: who may write below the root at the same moment can still lead it out, so a
 * server that serves several people should not run as root on a folder that they all write.
 */
public final class FileStorage implements Storage {
    public static final String SCHEME = "file";

    private final Address root;
    private final Path real;

    private FileStorage(Address root, Path real) {
        this.root = root;
        this.real = real;
    }

    /** Of a folder that is there. */
    public static FileStorage open(Address root) throws StorageException {
        if (!root.scheme().equals(SCHEME))
            throw new StorageException(root + " is no folder of this machine");
        if (!root.authority().isEmpty()) {
            throw new StorageException(
                    root
                            + " names the host "
                            + root.authority()
                            + ", but file: is this machine; write file:"
                            + root.path());
        }
        try {
            Path real = Path.of(root.path()).toRealPath();
            if (!Files.isDirectory(real)) throw new StorageException(root + " is no folder");
            return new FileStorage(root, real);
        } catch (IOException problem) {
            throw failed(root + " cannot be used", problem);
        }
    }

    @Override
    public Address root() {
        return root;
    }

    @Override
    public Optional<Entry> stat(Address address) throws StorageException {
        Path path = place(address);
        try {
            return Optional.of(entry(address, path));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException problem) {
            // A file where a folder would have to be: nothing can be below it.
            if (!Files.exists(path)) return Optional.empty();
            throw failed(address + " cannot be looked at", problem);
        }
    }

    private Entry entry(Address address, Path path) throws IOException {
        BasicFileAttributes seen = attributes(path);
        if (seen.isSymbolicLink() && isFileInside(path)) seen = attributes(path.toRealPath());
        var modified = seen.lastModifiedTime().toInstant();
        if (seen.isDirectory()) return new Entry(address, Entry.Kind.FOLDER, 0, modified);
        return seen.isRegularFile()
                ? new Entry(
                        address,
                        Entry.Kind.FILE,
                        seen.size(),
                        modified,
                        "",
                        Optional.of(seen.creationTime().toInstant()))
                : new Entry(address, Entry.Kind.OTHER, 0, modified);
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private boolean isFileInside(Path link) {
        try {
            Path target = link.toRealPath();
            return target.startsWith(real) && Files.isRegularFile(target);
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public Optional<Address> folderBehind(Address link) throws StorageException {
        try {
            Path target = place(link).toRealPath();
            if (!target.startsWith(real) || !Files.isDirectory(target)) return Optional.empty();
            Address folder = root;
            for (Path name : real.relativize(target)) {
                if (name.toString().isEmpty()) continue;
                if (!Address.isName(name.toString())) return Optional.empty();
                folder = folder.child(name.toString());
            }
            return Optional.of(folder);
        } catch (IOException _) {
            // It leads nowhere, in a circle, or to what this account may not see.
            return Optional.empty();
        }
    }

    @Override
    public void list(Address folder, Depth depth, Visitor visitor) throws StorageException {
        try {
            list(folder, place(folder), depth, visitor);
        } catch (IOException problem) {
            throw failed(folder + " cannot be listed", problem);
        } catch (DirectoryIteratorException problem) {
            throw failed(folder + " cannot be listed", problem.getCause());
        }
    }

    private void list(Address folder, Path path, Depth depth, Visitor visitor)
            throws IOException, StorageException {
        if (!attributes(path).isDirectory() && !folder.equals(root))
            throw new NotDirectoryException(folder.toString());
        try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
            for (Path child : children) {
                String name = child.getFileName().toString();
                if (name.startsWith(PART_PREFIX)) continue;
                if (!Address.isName(name)) {
                    visitor.seeUnnamed(folder, name, child.toFile().length());
                    continue;
                }
                Address address = folder.child(name);
                Entry entry;
                try {
                    entry = entry(address, child);
                } catch (NoSuchFileException _) {
                    continue;
                }
                visitor.see(entry);
                if (depth == Depth.ALL && entry.isFolder()) listBelow(address, child, visitor);
            }
        }
    }

    private void listBelow(Address folder, Path path, Visitor visitor)
            throws IOException, StorageException {
        try {
            list(folder, path, Depth.ALL, visitor);
        } catch (NoSuchFileException vanished) {
            if (Files.exists(path)) throw vanished;
        }
    }

    @Override
    public InputStream download(Address file, long offset) throws StorageException {
        Path path = place(file);
        try {
            if (!entry(file, path).isFile())
                throw new StorageException(file + " is no file of this storage");
            FileChannel opened = FileChannel.open(path.toRealPath(), LinkOption.NOFOLLOW_LINKS);
            return Channels.newInputStream(opened.position(offset));
        } catch (IOException problem) {
            throw failed(file + " cannot be read", problem);
        }
    }

    @Override
    public void upload(InputStream content, Address file) throws StorageException {
        Path path = placeBelowRoot(file);
        Path part = part(path);
        try {
            prepare(file, path);
            Files.copy(content, part);
            Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException problem) {
            throw failed(file + " was not written", problem);
        } finally {
            removeQuietly(part);
        }
    }

    @Override
    public void stamp(Address file, Instant modified) throws StorageException {
        try {
            Files.setLastModifiedTime(placeBelowRoot(file), FileTime.from(modified));
        } catch (IOException _) {
            // A file system without such times: the file is whole, and travels again next time.
            return;
        }
    }

    @Override
    public void uploadPieces(Address file, List<Piece> pieces, Progress progress)
            throws StorageException {
        Path path = placeBelowRoot(file);
        try {
            prepare(file, path);
            new PiecesUpload(file, path, pieces, progress).run();
        } catch (IOException problem) {
            throw failed(file + " was not written", problem);
        }
    }

    @Override
    public void copy(Address from, Address to) throws StorageException {
        if (from.equals(to)) throw new StorageException(from + " cannot be copied onto itself");
        Path source = place(from);
        Path path = placeBelowRoot(to);
        Path part = part(path);
        try {
            if (!entry(from, source).isFile())
                throw new StorageException(from + " is no file of this storage");
            prepare(to, path);
            Files.copy(source.toRealPath(), part);
            Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException problem) {
            throw failed(from + " was not copied to " + to, problem);
        } finally {
            removeQuietly(part);
        }
    }

    private static Path part(Path file) {
        String random = Long.toHexString(ThreadLocalRandom.current().nextLong());
        return file.resolveSibling(PART_PREFIX + random);
    }

    private static void prepare(Address file, Path path) throws IOException, StorageException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
            throw new StorageException(file + " is a folder, so no file can be written there");
        Files.createDirectories(path.getParent());
    }

    private static void removeQuietly(Path part) throws StorageException {
        try {
            Files.deleteIfExists(part);
        } catch (IOException problem) {
            if (Files.exists(part, LinkOption.NOFOLLOW_LINKS))
                throw failed(part + " is left over", problem);
        }
    }

    @Override
    public void makeFolder(Address folder) throws StorageException {
        Path path = place(folder);
        try {
            if (!folder.equals(root)) Files.createDirectories(path);
        } catch (IOException problem) {
            throw failed(folder + " cannot be made", problem);
        }
    }

    @Override
    public void delete(Address address) throws StorageException {
        Path path = placeBelowRoot(address);
        try {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS))
                Files.walkFileTree(path, new Removing());
            PieceIndex.forget(path);
        } catch (IOException problem) {
            throw failed(address + " was not deleted", problem);
        }
    }

    /** Removes a link as what it is. */
    private static final class Removing extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes seen) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException problem) throws IOException {
            if (problem instanceof NoSuchFileException) return FileVisitResult.CONTINUE;
            throw problem;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, IOException problem)
                throws IOException {
            if (problem != null) throw problem;
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }

    private Path placeBelowRoot(Address address) throws StorageException {
        Path path = place(address);
        if (!address.equals(root)) return path;
        throw new StorageException(root + " is the whole storage, which stays as it is");
    }

    /** The path of an address, if the folders on the way to it stay inside the root. */
    private Path place(Address address) throws StorageException {
        if (!address.isIn(root)) throw new StorageException(address + " is outside of " + root);
        Path path = real;
        for (String name : address.below(root)) path = path.resolve(name);
        if (address.equals(root)) return path;
        Path existing = path.getParent();
        while (!Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) existing = existing.getParent();
        try {
            if (existing.toRealPath().startsWith(real)) return path;
        } catch (NoSuchFileException _) {
            // A link to nothing: what is made by way of it would be anywhere.
        } catch (IOException problem) {
            throw failed(address + " cannot be reached", problem);
        }
        throw new StorageException(address + " goes by a link that leads out of " + root);
    }

    private static StorageException failed(String what, IOException problem) {
        return new StorageException(what + ": " + Words.of(problem), problem);
    }

    @Override
    public void close() {
        // Nothing is open between calls.
    }
}
