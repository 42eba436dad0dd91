package fairlead.server;

import fairlead.api.client.HomeFolder;
import fairlead.wire.Json;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The folder that belongs to one server at a time: it is locked while this object lives, and the
 * lock goes with the process, however that ends. What is secret in it, only its owner can read.
 */
final class Home implements AutoCloseable {
    private static final int TOKEN_BYTES = 32;

    /** What an owner puts there by hand must not be guessable either. */
    private static final int TOKEN_CHARS_LEAST = 32;

    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<?> OWNER_ONLY_FILE =
            PosixFilePermissions.asFileAttribute(OWNER_ONLY);

    private final Path path;
    private final FileChannel lock;
    private final Optional<String> change;

    private Home(Path path, FileChannel lock, Optional<String> change) {
        this.path = path;
        this.lock = lock;
        this.change = change;
    }

    /** Makes the folder where it is missing, and locks it. */
    static Home open(Path path) throws IOException, StartException {
        Optional<String> change = HomeFolder.prepare(path);
        Path file = path.resolve("server.lock");
        var channel = HomeFolder.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (!isLocked(channel)) throw taken(path, file);
        } catch (IOException | StartException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
        var home = new Home(path, channel, change);
        home.writeLock("process " + ProcessHandle.current().pid() + ", still starting");
        home.withdraw();
        return home;
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException _) {
            return false;
        }
    }

    private static StartException taken(Path path, Path file) throws IOException {
        String holder = Files.readString(file).strip();
        return new StartException(
                StartException.REFUSED,
                "another server already runs on " + path + " (" + holder + ")");
    }

    private void writeLock(String text) throws IOException {
        lock.truncate(0);
        lock.write(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8)), 0);
    }

    /** What was changed at a folder that others could use, in words. */
    Optional<String> change() {
        return change;
    }

    Path path() {
        return path;
    }

    Path journal() {
        return path.resolve("journal.db");
    }

    Path engine(String cluster) {
        return path.resolve(cluster);
    }

    Path log() {
        return path.resolve("logs").resolve("server.log");
    }

    private Path serverFile() {
        return path.resolve("server.json");
    }

    /** Says where the server is and nothing more: jobs are told to look here. */
    Path addressFile() {
        return path.resolve("address.json");
    }

    /** The owner's. The same between starts; made by the first. */
    String token() throws IOException, StartException {
        return kept("token");
    }

    /** What the keys of jobs are derived from; as lasting as the token. */
    String secret() throws IOException, StartException {
        return kept("secret");
    }

    private String kept(String name) throws IOException, StartException {
        Path file = path.resolve(name);
        if (!Files.exists(file)) {
            var bytes = new byte[TOKEN_BYTES];
            new SecureRandom().nextBytes(bytes);
            replace(file, HexFormat.of().formatHex(bytes) + "\n");
        }
        // Before its mode is changed: what a link leads to may be somebody else's.
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
            throw new StartException(
                    StartException.REFUSED, file + " is a link or no file; remove it");
        Files.setPosixFilePermissions(file, OWNER_ONLY);
        String text = Files.readString(file).strip();
        if (text.length() < TOKEN_CHARS_LEAST)
            throw new StartException(
                    StartException.USAGE,
                    file
                            + " holds no "
                            + name
                            + " of "
                            + TOKEN_CHARS_LEAST
                            + " or more characters; delete it, and a new one is made");
        return text;
    }

    /**
     * Tells jobs and commands where to find the server. Readers see the old file or the whole new
     * one.
     */
    void announce(String url, String token) throws IOException {
        long pid = ProcessHandle.current().pid();
        writeLock("process " + pid + ", " + url);
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("url", url);
        content.put("token", token);
        content.put("pid", pid);
        replace(addressFile(), Json.write(Map.of("url", url)) + "\n");
        replace(serverFile(), Json.write(content) + "\n");
    }

    void withdraw() throws IOException {
        Files.deleteIfExists(serverFile());
        Files.deleteIfExists(addressFile());
    }

    private void replace(Path file, String text) throws IOException {
        Path fresh = path.resolve(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        Files.createFile(fresh, OWNER_ONLY_FILE);
        try (var channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        }
        Files.move(
                fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
