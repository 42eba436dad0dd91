package fairlead.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** What every storage promises. A subclass opens one with a root of its own for each test. */
public abstract class StorageContract {
    @TempDir protected Path local;

    protected abstract Storage storage();

    /** How many small files one folder gets: more than a storage tells in one answer. */
    protected abstract int manyFiles();

    /** Many times the buffers of a transfer. */
    protected int largeBytes() {
        return 64 << 20;
    }

    /** Whether files may be called so; a storage that has no such names refuses them in words. */
    protected boolean takes(String name) {
        return !name.isEmpty();
    }

    protected Address at(String... names) throws StorageException {
        Address address = storage().root();
        for (String name : names) address = address.child(name);
        return address;
    }

    protected void put(String text, String... names) throws StorageException {
        storage().upload(new ByteArrayInputStream(text.getBytes(UTF_8)), at(names));
    }

    protected String text(String... names) throws StorageException, IOException {
        try (InputStream in = storage().download(at(names))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    /** What a listing shows, below the folder; folders with a slash at their end. */
    protected List<String> shown(Address folder, Storage.Depth depth) throws StorageException {
        var names = new TreeSet<String>();
        storage()
                .list(
                        folder,
                        depth,
                        entry ->
                                names.add(
                                        String.join("/", entry.address().below(folder))
                                                + (entry.isFolder() ? "/" : "")));
        return List.copyOf(names);
    }

    private static void assertRefused(String words, Work work) {
        var refusal = assertThrows(StorageException.class, work::run);
        assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
        assertFalse(refusal.getMessage().contains("\n"), refusal.getMessage());
    }

    private interface Work {
        void run() throws Exception;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "with blanks ",
                "größe-数据-🙂",
                "100%25",
                "%",
                "a+b&c=d",
                "a#b?c",
                "-rf",
                "~",
                "back\\slash",
                "*",
                "[a]{b}",
                "'\"$HOME"
            })
    void aFileOfAnyNameComesBackAsItWas(String name) throws Exception {
        if (!takes(name)) {
            assertRefused("takes no name with", () -> put("x", name));
            return;
        }
        put("content of " + name, name, name);
        assertEquals("content of " + name, text(name, name));
        assertEquals(List.of(name + "/", name + "/" + name), shown(at(), Storage.Depth.ALL));
        new Transfer(storage(), Progress.NONE).download(at(name), local.resolve("copy"));
        assertEquals("content of " + name, Files.readString(local.resolve("copy").resolve(name)));
        storage().delete(at(name));
        assertEquals(List.of(), shown(at(), Storage.Depth.ALL));
    }

    @Test
    void aLookTellsKindAndSizeAndThatNothingIsThere() throws Exception {
        put("12345", "folder", "file");
        Entry file = storage().stat(at("folder", "file")).orElseThrow();
        assertEquals(at("folder", "file"), file.address());
        assertTrue(file.isFile());
        assertEquals(5, file.bytes());
        Entry folder = storage().stat(at("folder")).orElseThrow();
        assertTrue(folder.isFolder());
        assertEquals(0, folder.bytes());
        assertTrue(storage().stat(at()).orElseThrow().isFolder());
        assertTrue(storage().stat(at("nothing")).isEmpty());
        assertTrue(storage().stat(at("folder", "file", "below")).isEmpty());
    }

    @Test
    void aListingShowsChildrenOrEverythingBelow() throws Exception {
        put("", "top");
        put("x", "a", "b", "deep");
        storage().makeFolder(at("empty", "inner"));
        assertEquals(List.of("a/", "empty/", "top"), shown(at(), Storage.Depth.CHILDREN));
        assertEquals(
                List.of("a/", "a/b/", "a/b/deep", "empty/", "empty/inner/", "top"),
                shown(at(), Storage.Depth.ALL));
        assertEquals(List.of("b/", "b/deep"), shown(at("a"), Storage.Depth.ALL));
        assertEquals(List.of(), shown(at("empty", "inner"), Storage.Depth.ALL));
    }

    @Test
    void anUploadReplacesAnOlderFile() throws Exception {
        put("a long old text", "file");
        put("new", "file");
        assertEquals("new", text("file"));
        assertEquals(List.of("file"), shown(at(), Storage.Depth.ALL));
    }

    /** A stream that gives some bytes and then fails, as a connection that is cut does. */
    private static final class CutStream extends InputStream {
        private long left = 1 << 20;

        @Override
        public int read() throws IOException {
            if (left-- > 0) return 'x';
            throw new IOException("the connection is cut");
        }
    }

    @Test
    void anUploadThatIsCutLeavesTheOldFile() throws Exception {
        put("old", "file");
        for (String name : List.of("file", "fresh")) {
            assertRefused(
                    "the connection is cut", () -> storage().upload(new CutStream(), at(name)));
        }
        assertEquals("old", text("file"));
        assertEquals(List.of("file"), shown(at(), Storage.Depth.ALL));
    }

    @Test
    void aDownloadThatIsEndedLeavesTheOldLocalFile() throws Exception {
        put("x".repeat(1 << 20), "file");
        Path old = Files.writeString(local.resolve("file"), "old");
        var bytes = new AtomicLong();
        var transfer =
                new Transfer(
                        storage(),
                        (_, moved) -> {
                            if (bytes.addAndGet(moved) > 200_000)
                                throw new StorageException("enough");
                        });
        assertRefused("enough", () -> transfer.download(at("file"), old));
        assertRefused("enough", () -> transfer.download(at("file"), local.resolve("fresh")));
        assertEquals("old", Files.readString(old));
        assertEquals(List.of("file"), localNames());
    }

    @Test
    void anInterruptEndsATransferAndLeavesNoHalfFile() throws Exception {
        put("x".repeat(1 << 20), "file");
        Path source = Files.writeString(local.resolve("source"), "y".repeat(1 << 20));
        var transfer = new Transfer(storage(), (_, _) -> Thread.currentThread().interrupt());
        assertInterrupted(() -> transfer.download(at("file"), local.resolve("fresh")));
        assertInterrupted(() -> transfer.upload(source, at("other")));
        assertEquals(List.of("source"), localNames());
        assertEquals(List.of("file"), shown(at(), Storage.Depth.ALL));
    }

    private static void assertInterrupted(Work work) {
        try {
            assertRefused("interrupted", work);
            assertTrue(Thread.currentThread().isInterrupted());
        } finally {
            Thread.interrupted();
        }
    }

    private List<String> localNames() throws IOException {
        try (Stream<Path> files = Files.list(local)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aDeleteRemovesTheNamedThingAndNoSiblingOfTheSamePrefix() throws Exception {
        for (String name : List.of("data", "data2", "data-old", "dat")) put("x", name, "file");
        put("x", "data.txt");
        storage().delete(at("data"));
        List<String> rest =
                List.of(
                        "dat/",
                        "dat/file",
                        "data-old/",
                        "data-old/file",
                        "data.txt",
                        "data2/",
                        "data2/file");
        assertEquals(rest, shown(at(), Storage.Depth.ALL));
        storage().delete(at("data"));
        storage().delete(at("dat", "fil"));
        assertEquals(rest, shown(at(), Storage.Depth.ALL));
        storage().delete(at("data.txt"));
        assertFalse(shown(at(), Storage.Depth.ALL).contains("data.txt"));
    }

    @Test
    void theRootStays() throws Exception {
        put("x", "file");
        assertRefused("whole storage", () -> storage().delete(storage().root()));
        assertRefused(
                "whole storage",
                () -> storage().upload(InputStream.nullInputStream(), storage().root()));
        assertEquals("x", text("file"));
    }

    @Test
    void whatIsOutsideOfTheRootIsRefused() throws Exception {
        Address root = storage().root();
        put("x", "file");
        var outside =
                List.of(
                        root.parent(),
                        root.parent().child(root.name() + "2"),
                        root.parent().child("other").child("file"),
                        new Address(root.scheme(), "elsewhere:1", root.names()),
                        new Address("other", root.authority(), root.names()));
        for (Address address : outside) {
            String words = "outside of " + root;
            assertRefused(words, () -> storage().stat(address));
            assertRefused(words, () -> storage().list(address, Storage.Depth.CHILDREN, _ -> {}));
            assertRefused(words, () -> storage().download(address).close());
            assertRefused(words, () -> storage().upload(InputStream.nullInputStream(), address));
            assertRefused(words, () -> storage().makeFolder(address));
            assertRefused(words, () -> storage().copy(at("file"), address));
            assertRefused(words, () -> storage().copy(address, at("copy")));
            assertRefused(words, () -> storage().delete(address));
        }
    }

    @Test
    void whatIsNotThereOrNotOfThatKindIsToldInOneLine() throws Exception {
        put("x", "folder", "file");
        assertRefused("nothing", () -> storage().download(at("nothing")).close());
        assertRefused("folder", () -> storage().download(at("folder")).close());
        assertRefused("nothing", () -> storage().list(at("nothing"), Storage.Depth.ALL, _ -> {}));
        assertRefused(
                "file", () -> storage().list(at("folder", "file"), Storage.Depth.ALL, _ -> {}));
        assertRefused("folder", () -> put("y", "folder"));
        assertRefused("below", () -> put("y", "folder", "file", "below"));
        assertRefused("nothing", () -> storage().copy(at("nothing"), at("copy")));
        var transfer = new Transfer(storage(), Progress.NONE);
        assertRefused("there is no", () -> transfer.download(at("no"), local.resolve("no")));
        assertRefused("there is no", () -> transfer.upload(local.resolve("no"), at("no")));
        assertEquals(List.of("folder/", "folder/file"), shown(at(), Storage.Depth.ALL));
    }

    @Test
    void aFileIsReadFromAnOffset() throws Exception {
        put("0123456789", "file");
        Map<Long, String> expected = Map.of(0L, "0123456789", 4L, "456789", 10L, "", 99L, "");
        for (var each : expected.entrySet()) {
            try (InputStream in = storage().download(at("file"), each.getKey())) {
                assertEquals(each.getValue(), new String(in.readAllBytes(), UTF_8));
            }
        }
    }

    @Test
    void oneVersionOfAFileIsReadInParts() throws Exception {
        put("0123456789", "file");
        Content content = storage().content(at("file"));
        assertEquals(10, content.bytes());
        try (InputStream in = content.read(2, 3)) {
            assertEquals("234", new String(in.readAllBytes(), UTF_8));
        }
        put("another text", "file");
        assertRefused("changed", () -> content.read(2, 3).close());
        assertFalse(content.version().equals(storage().content(at("file")).version()));
        assertRefused("nothing", () -> storage().content(at("nothing")));
    }

    private static Piece piece(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        var checksum = new Checksum();
        checksum.update(bytes, 0, bytes.length);
        return new Piece(checksum.id(), bytes.length, () -> new ByteArrayInputStream(bytes));
    }

    @Test
    void piecesBecomeOneFile() throws Exception {
        var told = new AtomicLong();
        var progress =
                new Progress() {
                    @Override
                    public void moved(Address file, long bytes) {
                        told.addAndGet(bytes);
                    }

                    @Override
                    public void skipped(Address file, long bytes) {
                        told.addAndGet(bytes);
                    }
                };
        storage().uploadPieces(at("file"), List.of(piece("one "), piece("two ")), progress);
        assertEquals("one two ", text("file"));
        assertEquals(8, told.get());
        var other = List.of(piece("two "), piece("three "), piece("two "));
        storage().uploadPieces(at("file"), other, progress);
        assertEquals("two three two ", text("file"));
        assertEquals(22, told.get());
        storage().uploadPieces(at("file"), List.of(), progress);
        assertEquals("", text("file"));
        var cut = new Piece("cut", 1 << 21, CutStream::new);
        assertRefused(
                "the connection is cut",
                () -> storage().uploadPieces(at("fresh"), List.of(cut), progress));
        assertEquals(List.of("file"), shown(at(), Storage.Depth.ALL));
    }

    @Test
    void filesAndFoldersAreCopiedInsideTheStorage() throws Exception {
        put("one", "a", "1");
        put("two", "a", "b", "2");
        put("old", "copied");
        var transfer = new Transfer(storage(), Progress.NONE);
        transfer.copy(at("a", "1"), at("copied"));
        assertEquals("one", text("copied"));
        transfer.copy(at("a"), at("c", "d"));
        assertEquals(List.of("1", "b/", "b/2"), shown(at("c", "d"), Storage.Depth.ALL));
        assertEquals("two", text("c", "d", "b", "2"));
        assertEquals("two", text("a", "b", "2"));
        assertRefused("into itself", () -> transfer.copy(at("a"), at("a", "inner")));
        assertRefused("into itself", () -> transfer.copy(at("a"), at("a")));
    }

    /** By streams that never hold it. */
    @Test
    void aLargeFileComesBackAsItWas() throws Exception {
        var sent = new DigestInputStream(noise(largeBytes()), MessageDigest.getInstance("SHA-256"));
        storage().upload(sent, at("large"));
        assertEquals(largeBytes(), storage().stat(at("large")).orElseThrow().bytes());
        var moved = new AtomicLong();
        new Transfer(storage(), (_, bytes) -> moved.addAndGet(bytes))
                .download(at("large"), local.resolve("large"));
        assertEquals(largeBytes(), moved.get());
        var got = MessageDigest.getInstance("SHA-256");
        try (var in = new DigestInputStream(Files.newInputStream(local.resolve("large")), got)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        assertArrayEquals(sent.getMessageDigest().digest(), got.digest());
    }

    private static InputStream noise(int bytes) {
        var random = new SplittableRandom(7);
        return new InputStream() {
            private long left = bytes;

            @Override
            public int read() {
                return left-- > 0 ? random.nextInt(256) : -1;
            }

            @Override
            public int read(byte[] buffer, int offset, int length) {
                if (left <= 0) return -1;
                int count = (int) Math.min(left, Math.min(length, 65_536));
                byte[] some = new byte[count];
                random.nextBytes(some);
                System.arraycopy(some, 0, buffer, offset, count);
                left -= count;
                return count;
            }
        };
    }

    @Test
    void aFolderOfManySmallFilesGoesThereAndBack() throws Exception {
        Path source = Files.createDirectory(local.resolve("source"));
        Map<String, Long> sizes = new HashMap<>();
        for (int i = 0; i < manyFiles(); i++) {
            Path file = source.resolve("file " + i);
            Files.writeString(file, "content " + i);
            sizes.put("file " + i, Files.size(file));
        }
        var transfer = new Transfer(storage(), Progress.NONE);
        transfer.upload(source, at("many"));
        Map<String, Long> listed = new HashMap<>();
        storage()
                .list(
                        at("many"),
                        Storage.Depth.ALL,
                        entry -> listed.put(entry.address().name(), entry.bytes()));
        assertEquals(sizes, listed);
        transfer.download(at("many"), local.resolve("back"));
        for (int i = 0; i < manyFiles(); i++) {
            assertEquals(
                    "content " + i, Files.readString(local.resolve("back").resolve("file " + i)));
        }
        storage().delete(at("many"));
        assertTrue(storage().stat(at("many")).isEmpty());
    }
}
