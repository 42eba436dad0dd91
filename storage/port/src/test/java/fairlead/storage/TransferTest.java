package fairlead.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** What comes from a storage and goes between storages, and that its progress adds up. */
class TransferTest {
    @TempDir Path local;
    private MemoryStorage storage;

    @BeforeEach
    void open() throws StorageException {
        storage = new MemoryStorage("memory://here/root", false);
    }

    private static Address at(Storage storage, String... names) throws StorageException {
        Address address = storage.root();
        for (String name : names) address = address.child(name);
        return address;
    }

    private void put(String text, String... names) throws StorageException {
        storage.upload(new ByteArrayInputStream(text.getBytes(UTF_8)), at(storage, names));
    }

    private static List<String> shown(Storage storage, Address folder) throws StorageException {
        var names = new TreeSet<String>();
        storage.list(
                folder,
                Storage.Depth.ALL,
                entry ->
                        names.add(
                                String.join("/", entry.address().below(folder))
                                        + (entry.isFolder() ? "/" : "")));
        return List.copyOf(names);
    }

    private Tally download(Address from, Path to) throws StorageException {
        var tally = new Tally();
        new Transfer(storage, tally).download(from, to);
        return tally;
    }

    @Test
    void aFolderComesWithAllThatIsInItAndNothingComesTwice() throws Exception {
        put("one", "a", "1");
        put("twos", "a", "b", "2");
        put("", "a", "nothing");
        storage.makeFolder(at(storage, "a", "empty", "inner"));
        Path to = local.resolve("new/copy");
        download(at(storage, "a"), to).assertAddsUp(7, 0);
        assertEquals("one", Files.readString(to.resolve("1")));
        assertEquals("twos", Files.readString(to.resolve("b/2")));
        assertEquals("", Files.readString(to.resolve("nothing")));
        assertTrue(Files.isDirectory(to.resolve("empty/inner")));
        download(at(storage, "a"), to).assertAddsUp(0, 7);
        put("ONE", "a", "1");
        download(at(storage, "a"), to).assertAddsUp(3, 4);
        assertEquals("ONE", Files.readString(to.resolve("1")));
        try (var files = Files.list(to)) {
            assertEquals(4, files.count(), "no part is left");
        }
    }

    @Test
    void anEmptyFolderComesToo() throws Exception {
        storage.makeFolder(at(storage, "empty"));
        download(at(storage, "empty"), local.resolve("e")).assertAddsUp(0, 0);
        assertTrue(Files.isDirectory(local.resolve("e")));
    }

    @Test
    void aFileComesWithItsTime() throws Exception {
        put("text", "file");
        Path to = local.resolve("file");
        download(at(storage, "file"), to).assertAddsUp(4, 0);
        Instant time = storage.stat(at(storage, "file")).orElseThrow().modified();
        assertEquals(time, Files.getLastModifiedTime(to).toInstant());
        download(at(storage, "file"), to).assertAddsUp(0, 4);
        Files.setLastModifiedTime(to, FileTime.from(time.plusSeconds(1)));
        download(at(storage, "file"), to).assertAddsUp(4, 0);
    }

    /** Just above the bound, and just below it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aLargeFileComesWholeWithItsTime(int more) throws Exception {
        byte[] bytes = new byte[Transfer.PIECE_BYTES + more];
        new Random(7).nextBytes(bytes);
        storage.upload(new ByteArrayInputStream(bytes), at(storage, "large"));
        Path to = local.resolve("large");
        download(at(storage, "large"), to).assertAddsUp(bytes.length, 0);
        assertArrayEquals(bytes, Files.readAllBytes(to));
        download(at(storage, "large"), to).assertAddsUp(0, bytes.length);
        try (var files = Files.list(local)) {
            assertEquals(List.of(to), files.toList(), "no part is left");
        }
    }

    @Test
    void whereNoFolderCanBeMadeThatIsSaid() throws Exception {
        put("x", "a", "1");
        Path file = Files.writeString(local.resolve("file"), "mine");
        var problem =
                assertThrows(
                        StorageException.class,
                        () -> download(at(storage, "a"), file.resolve("below")));
        assertTrue(problem.getMessage().contains("cannot make the folder"), problem::getMessage);
        assertThrows(StorageException.class, () -> download(at(storage, "a"), file));
        assertEquals("mine", Files.readString(file));
    }

    @Test
    void aFileThatCannotTakeItsPlaceLeavesNoPart() throws Exception {
        put("x", "a");
        Files.createDirectories(local.resolve("a/inner"));
        assertThrows(StorageException.class, () -> download(at(storage, "a"), local.resolve("a")));
        try (var files = Files.list(local)) {
            assertEquals(List.of(local.resolve("a")), files.toList());
        }
    }

    private void fillToBeCopied() throws StorageException {
        put("one", "a", "1");
        put("twos", "a", "b", "2");
        storage.makeFolder(at(storage, "a", "empty", "inner"));
    }

    private static final List<String> COPIED = List.of("1", "b/", "b/2", "empty/", "empty/inner/");

    @Test
    void aFolderIsCopiedInsideAStorageWithItsEmptyFolders() throws Exception {
        fillToBeCopied();
        var tally = new Tally();
        new Transfer(storage, tally).copy(at(storage, "a"), at(storage, "c", "d"));
        tally.assertAddsUp(7, 0);
        assertEquals(COPIED, shown(storage, at(storage, "c", "d")));
        assertArrayEquals("twos".getBytes(UTF_8), storage.bytes(at(storage, "c", "d", "b", "2")));
    }

    @Test
    void aFolderIsCopiedFromAnotherStorage() throws Exception {
        fillToBeCopied();
        var other = new MemoryStorage("memory://there/root", true);
        var tally = new Tally();
        new Transfer(other, tally).copyFrom(storage, at(storage, "a"), at(other, "c"));
        tally.assertAddsUp(7, 0);
        assertEquals(COPIED, shown(other, at(other, "c")));
        assertArrayEquals("twos".getBytes(UTF_8), other.bytes(at(other, "c", "b", "2")));
        assertEquals(List.of("a/"), shown(storage, at(storage)).subList(0, 1), "it stays there");
        var one = new Tally();
        new Transfer(other, one).copyFrom(storage, at(storage, "a", "1"), at(other, "single"));
        one.assertAddsUp(3, 0);
        assertArrayEquals("one".getBytes(UTF_8), other.bytes(at(other, "single")));
        storage.makeFolder(at(storage, "bare"));
        new Transfer(other, new Tally()).copyFrom(storage, at(storage, "bare"), at(other, "bare"));
        assertTrue(other.stat(at(other, "bare")).orElseThrow().isFolder());
    }

    @Test
    void anInterruptEndsACopyBeforeItsNextFile() throws Exception {
        put("x", "a");
        Thread.currentThread().interrupt();
        var ended =
                assertThrows(
                        StorageException.class,
                        () ->
                                new Transfer(storage, Progress.NONE)
                                        .copy(at(storage, "a"), at(storage, "b")));
        assertTrue(Thread.interrupted());
        assertEquals("interrupted at memory://here/root/b", ended.getMessage());
        assertFalse(storage.stat(at(storage, "b")).isPresent());
    }

    @Test
    void aContentHasTheMd5ThatTheStorageKnows() throws Exception {
        put("x", "a");
        assertEquals("", storage.content(at(storage, "a")).md5());
        var other = new MemoryStorage("memory://there/root", true);
        other.upload(new ByteArrayInputStream(new byte[0]), at(other, "a"));
        assertEquals("1B2M2Y8AsgTpgAmY7PhCfg==", other.content(at(other, "a")).md5());
        var refused = assertThrows(StorageException.class, () -> other.content(at(other)).md5());
        assertTrue(refused.getMessage().contains("is a folder"), refused::getMessage);
    }
}
