package fairlead.api.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/** A home is its owner's alone, whatever was there before. */
final class HomeFolderTest {
    /** An account that no system gives to anybody. */
    private static final int SOMEBODY = 54_321;

    @TempDir Path folder;

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static void mode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static void give(Path path) throws IOException {
        assumeTrue(isRoot(), "not root: files cannot be given away");
        Files.setAttribute(path, "unix:uid", SOMEBODY);
    }

    private static boolean isRoot() throws IOException {
        return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    }

    private static String refused(Path home) {
        return assertThrows(IOException.class, () -> HomeFolder.prepare(home)).getMessage();
    }

    @Test
    void aNewHomeIsPrivateWithAllThatIsMadeAboveIt() throws IOException {
        Path home = folder.resolve("a/b/home");
        assertEquals(Optional.empty(), HomeFolder.prepare(home));
        for (Path made : new Path[] {home.getParent(), home, home.resolve("logs")})
            assertEquals("rwx------", mode(made), made.toString());
    }

    @Test
    void aFailureWhoseMessageIsAPathSaysItsReason() {
        assertEquals(
                "no permission for a/logs", HomeFolder.reason(new AccessDeniedException("a/logs")));
        assertEquals(
                "FileAlreadyExistsException: a/logs",
                HomeFolder.reason(new FileAlreadyExistsException("a/logs")));
        assertEquals(
                "a/logs: No space left on device",
                HomeFolder.reason(
                        new FileSystemException("a/logs", null, "No space left on device")));
        assertEquals("no such user", HomeFolder.reason(new IOException("no such user")));
    }

    /** Goal: no umask changes a mode. Method: the same in a shell that has set one. */
    @Test
    void noUmaskMatters() throws Exception {
        for (String umask : new String[] {"000", "077", "0277"}) {
            Path home = folder.resolve("home" + umask);
            var java = Path.of(System.getProperty("java.home"), "bin", "java");
            var process =
                    new ProcessBuilder(
                                    "sh",
                                    "-c",
                                    "umask %s; exec \"$@\"".formatted(umask),
                                    "sh",
                                    java.toString(),
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    HomeFolderTest.class.getName(),
                                    home.toString())
                            .inheritIO()
                            .start();
            assertEquals(0, process.waitFor());
            assertEquals("rwx------", mode(home), umask);
            assertEquals("rwx------", mode(home.resolve("logs")), umask);
            assertEquals("rw-------", mode(home.resolve("start.lock")), umask);
        }
    }

    /** What the shell of the test above runs. */
    public static void main(String[] words) throws IOException {
        Path home = Path.of(words[0]);
        HomeFolder.prepare(home);
        HomeFolder.openLock(home.resolve("start.lock")).close();
    }

    @Test
    void oneThatOthersCanReadIsTightenedAndThatIsSaid() throws IOException {
        Path home = Files.createDirectory(folder.resolve("home"));
        Files.writeString(home.resolve("settings"), "");
        mode(home, "rwxr-xr-x");
        assertEquals(
                Optional.of(
                        home
                                + " was open to others (rwxr-xr-x) and is yours alone now"
                                + " (rwx------)"),
                HomeFolder.prepare(home));
        assertEquals("rwx------", mode(home));
        assertEquals(Optional.empty(), HomeFolder.prepare(home));
    }

    @Test
    void oneThatOthersCanWriteToIsRefusedUnlessItIsEmpty() throws IOException {
        Path home = Files.createDirectory(folder.resolve("home"));
        mode(home, "rwxrwxrwx");
        Files.writeString(home.resolve("settings"), "");
        assertTrue(refused(home).startsWith("others can write to " + home), refused(home));
        assertEquals("rwxrwxrwx", mode(home));
        Files.delete(home.resolve("settings"));
        assertTrue(HomeFolder.prepare(home).isPresent());
        assertEquals("rwx------", mode(home));
    }

    @Test
    void oneOfSomebodyElseIsRefused() throws IOException {
        Path home = Files.createDirectory(folder.resolve("home"));
        give(home);
        assertTrue(refused(home).startsWith(home + " belongs to "), refused(home));
        assertFalse(Files.exists(home.resolve("logs")));
    }

    @Test
    void aLinkOfSomebodyElseIsRefusedAndOneOfOurOwnIsNot() throws Exception {
        Path real = Files.createDirectory(folder.resolve("real"));
        Path home = Files.createSymbolicLink(folder.resolve("home"), real);
        HomeFolder.prepare(home);
        assertTrue(Files.isDirectory(real.resolve("logs")));
        assumeTrue(isRoot(), "not root: files cannot be given away");
        var chown = List.of("chown", "-h", Integer.toString(SOMEBODY), home.toString());
        assertEquals(0, new ProcessBuilder(chown).start().waitFor());
        assertTrue(refused(home).startsWith(home + " belongs to "), refused(home));
    }

    @Test
    void aFileIsNotReachedByALink() throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "mine");
        Path log = Files.createSymbolicLink(folder.resolve("server.log"), victim);
        var refusal =
                assertThrows(
                        IOException.class, () -> HomeFolder.open(log, StandardOpenOption.WRITE));
        assertEquals(log + " is a link or no file; remove it", refusal.getMessage());
        assertThrows(IOException.class, () -> HomeFolder.openLock(log));
        assertEquals("mine", Files.readString(victim));
        Path theirs = Files.writeString(folder.resolve("start.lock"), "");
        mode(theirs, "rw-------");
        give(theirs);
        assertThrows(IOException.class, () -> HomeFolder.openLock(theirs));
    }

    /** Goal: nobody holds a start up. Method: a process that has locked the old file. */
    @Test
    void aLockThatOthersCouldOpenIsReplaced() throws IOException {
        Path file = Files.writeString(folder.resolve("start.lock"), "");
        mode(file, "rw-rw-rw-");
        Object before = Files.getAttribute(file, "unix:ino");
        try (var held = FileChannel.open(file, StandardOpenOption.WRITE);
                var _ = held.lock();
                var ours = HomeFolder.openLock(file);
                var lock = ours.tryLock()) {
            assertTrue(lock.isValid());
        }
        assertFalse(before.equals(Files.getAttribute(file, "unix:ino")));
        assertEquals("rw-------", mode(file));
    }

    @Test
    void aFileSystemWithoutModesKeepsItsOwn() throws IOException {
        try (var windows = Jimfs.newFileSystem(Configuration.windows())) {
            Path home = windows.getPath("C:\\Users\\ann\\.local\\state\\fairlead");
            assertEquals(Optional.empty(), HomeFolder.own(home));
            assertEquals(Optional.empty(), HomeFolder.own(home));
            HomeFolder.create(home.resolve("login.json.new"));
            assertEquals(0, Files.size(home.resolve("login.json.new")));
        }
    }
}
