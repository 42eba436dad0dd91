package fairlead.api.client;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The folder of a server, which holds the token of its owner: nobody else may look into it, write
 * to it, or have put into it what the server then opens. What is made here has the same modes under
 * every umask. A file system without modes, as that of Windows, keeps a user's folders from others
 * by itself: what is made there has the rights of the folder that it is in.
 */
public final class HomeFolder {
    private static final Set<PosixFilePermission> FOLDER =
            PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE =
            PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<?> NEW_FOLDER = PosixFilePermissions.asFileAttribute(FOLDER);
    private static final FileAttribute<?> NEW_FILE = PosixFilePermissions.asFileAttribute(FILE);
    private static final Set<PosixFilePermission> OTHERS_WRITE =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    private static final int ROOT = 0;

    private HomeFolder() {}

    /**
     * Makes the home and its folder of logs where they are missing, and sees that nobody else can
     * use them.
     *
     * @return what was changed at a home that was there, in words; empty when nothing was
     * @throws IOException where that cannot be, in words for its user
     */
    public static Optional<String> prepare(Path home) throws IOException {
        Optional<String> change = own(home);
        own(home.resolve("logs"));
        return change;
    }

    /** The same for one folder. */
    public static Optional<String> own(Path folder) throws IOException {
        // Looked at before the folder that it may lead to: whoever made a link can change it.
        boolean isThere = Files.exists(folder, LinkOption.NOFOLLOW_LINKS);
        if (!hasModes(folder)) {
            Files.createDirectories(folder.toAbsolutePath());
            return Optional.empty();
        }
        if (!isThere) {
            Files.createDirectories(folder.toAbsolutePath(), NEW_FOLDER);
            Files.setPosixFilePermissions(folder, FOLDER);
            return Optional.empty();
        }
        refuseOthers(folder, LinkOption.NOFOLLOW_LINKS);
        if (!Files.isDirectory(folder)) throw new IOException(folder + " is not a folder");
        refuseOthers(folder);
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(folder);
        if (FOLDER.containsAll(mode)) return Optional.empty();
        String text = PosixFilePermissions.toString(mode);
        // That of a volume in a pod is root's, and open to the pod's group.
        boolean isRoots = uid(folder) == ROOT && self() != ROOT;
        if (isRoots && !mode.contains(PosixFilePermission.OTHERS_WRITE)) return Optional.empty();
        var writable = new HashSet<>(OTHERS_WRITE);
        writable.retainAll(mode);
        if (isRoots || !writable.isEmpty() && !isEmpty(folder))
            throw new IOException(
                    "others can write to %s (%s), so what is in it may not be yours; look at it, then 'chmod 700 %s'"
                            .formatted(folder, text, folder));
        Files.setPosixFilePermissions(folder, FOLDER);
        return Optional.of(
                "%s was open to others (%s) and is yours alone now (%s)"
                        .formatted(folder, text, PosixFilePermissions.toString(FOLDER)));
    }

    /** Makes an empty file that its owner alone can use, where none is. */
    public static void create(Path file) throws IOException {
        if (hasModes(file)) Files.createFile(file, NEW_FILE);
        else Files.createFile(file);
    }

    private static boolean hasModes(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    /**
     * Opens a file of the home, which is made where it is missing and never reached by a link.
     *
     * @throws IOException where something else is in its place
     */
    public static FileChannel open(Path file, OpenOption... more) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                throw new IOException(file + " is a link or no file; remove it");
            refuseOthers(file, LinkOption.NOFOLLOW_LINKS);
        }
        var options = new HashSet<>(List.of(more));
        options.add(StandardOpenOption.CREATE);
        options.add(LinkOption.NOFOLLOW_LINKS);
        var channel = FileChannel.open(file, options, NEW_FILE);
        Files.setPosixFilePermissions(file, FILE);
        return channel;
    }

    /**
     * The same for a file that is there to be locked. One that others could open, they may hold
     * locked for ever, so a new one takes its place.
     */
    public static FileChannel openLock(Path file) throws IOException {
        boolean isThere = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
        if (isThere && !FILE.containsAll(Files.getPosixFilePermissions(file))) Files.delete(file);
        return open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** What went wrong, in words: the message of a plain failure is a path and nothing else. */
    public static String reason(IOException failure) {
        return switch (failure) {
            case AccessDeniedException denied -> "no permission for " + denied.getFile();
            case FileSystemException other when other.getReason() == null ->
                    other.getClass().getSimpleName() + ": " + other.getMessage();
            default -> failure.getMessage();
        };
    }

    private static void refuseOthers(Path path, LinkOption... options) throws IOException {
        int uid = uid(path, options);
        if (uid == self() || uid == ROOT) return;
        throw new IOException(
                "%s belongs to %s; a server uses only what is its own"
                        .formatted(path, Files.getOwner(path, options).getName()));
    }

    private static int uid(Path path, LinkOption... options) throws IOException {
        return (int) Files.getAttribute(path, "unix:uid", options);
    }

    private static int self() throws IOException {
        Path self = Path.of("/proc/self");
        if (Files.exists(self)) return uid(self);
        // macOS has no such folder, but whatever one makes is one's own.
        Path mine = Files.createTempFile("fairlead", null);
        try {
            return uid(mine);
        } finally {
            Files.delete(mine);
        }
    }
}
