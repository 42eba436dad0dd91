package fairlead.storage.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.storage.Address;
import fairlead.storage.Entry;
import fairlead.storage.Piece;
import fairlead.storage.Progress;
import fairlead.storage.Storage;
import fairlead.storage.StorageContract;
import fairlead.storage.StorageException;
import fairlead.storage.Transfer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The contract on a folder of this machine, and what only such folders have: links. */
class FileStorageTest extends StorageContract {
    @TempDir Path folder;
    private Path root;
    private Storage storage;

    @BeforeEach
    void open() throws Exception {
        root = Files.createDirectory(folder.resolve("root"));
        Files.writeString(folder.resolve("secret"), "secret");
        Files.createDirectory(folder.resolve("outside"));
        storage = FileStorage.open(Address.of("file:" + root));
    }

    @Override
    protected Storage storage() {
        return storage;
    }

    @Override
    protected int manyFiles() {
        return 1_000;
    }

    /** Counts the bytes that have travelled. */
    private static final class Travelled implements Progress {
        private long bytes;

        @Override
        public synchronized void moved(Address file, long count) {
            bytes += count;
        }
    }

    private long travelled(Piece... pieces) throws StorageException {
        var travelled = new Travelled();
        storage.uploadPieces(at("zip"), List.of(pieces), travelled);
        return travelled.bytes;
    }

    private static Piece piece(String text) {
        return new Piece(text, text.length(), () -> new ByteArrayInputStream(text.getBytes(UTF_8)));
    }

    @Test
    void piecesOfTheOldFileDoNotTravelAgain() throws Exception {
        assertEquals(6, travelled(piece("one"), piece("two")));
        assertEquals(0, travelled(piece("one"), piece("two")));
        assertEquals(5, travelled(piece("two"), piece("three"), piece("one")));
        assertEquals("twothreeone", text("zip"));
        assertEquals(List.of("zip"), shown(at(), Storage.Depth.ALL));
    }

    @Test
    void piecesOfAFileThatSomebodyElseHasReplacedAreNotUsed() throws Exception {
        travelled(piece("one"), piece("two"));
        put("strang", "zip");
        assertEquals(6, travelled(piece("one"), piece("two")));
        assertEquals("onetwo", text("zip"));
        storage.delete(at("zip"));
        try (var left = Files.list(root)) {
            assertEquals(List.of(), left.toList());
        }
    }

    /** Goal: keep most of what came. Method: a reader that ends it after 20 of 40 MiB. */
    @Test
    void aDownloadThatEndedEarlyKeepsMostOfWhatCame() throws Exception {
        int mib = 1 << 20;
        put("x".repeat(40 * mib), "large");
        var moved = new AtomicLong();
        Progress ending =
                (file, bytes) -> {
                    if (moved.addAndGet(bytes) > 20L * mib) throw new StorageException("ended");
                };
        Path to = folder.resolve("large");
        var broken = new Transfer(storage, ending);
        assertThrows(StorageException.class, () -> broken.download(at("large"), to));
        var rest = new Travelled();
        new Transfer(storage, rest).download(at("large"), to);
        assertTrue(rest.bytes < 30L * mib, "moved again: " + rest.bytes);
        assertEquals(40L * mib, Files.size(to));
        var again = new Travelled();
        new Transfer(storage, again).download(at("large"), to);
        assertEquals(0, again.bytes);
    }

    /** Goal: go on where it was. Method: a source that breaks off at the fourth of five pieces. */
    @Test
    void anUploadThatBrokeOffGoesOn() throws Exception {
        var broken =
                new Piece(
                        "four",
                        4,
                        () -> {
                            throw new IOException("the source is gone");
                        });
        assertThrows(
                StorageException.class,
                () -> travelled(piece("one"), piece("two"), piece("three"), broken, piece("5")));
        assertEquals(List.of(), shown(at(), Storage.Depth.ALL));
        // The last two of the three are written again, because their ends may be lost.
        assertEquals(
                13,
                travelled(piece("one"), piece("two"), piece("three"), piece("four"), piece("5")));
        assertEquals("onetwothreefour5", text("zip"));
    }

    @Test
    void aLinkToAFileInsideIsThatFile() throws Exception {
        put("text", "real");
        Files.createSymbolicLink(root.resolve("link"), Path.of("real"));
        assertEquals("text", text("link"));
        assertEquals(4, storage.stat(at("link")).orElseThrow().bytes());
        put("new", "link");
        assertEquals("text", text("real"));
        assertFalse(Files.isSymbolicLink(root.resolve("link")));
    }

    @Test
    void noLinkLeadsOutOfTheRoot() throws Exception {
        Files.createSymbolicLink(root.resolve("file"), folder.resolve("secret"));
        Files.createSymbolicLink(root.resolve("up"), Path.of(".."));
        Files.createSymbolicLink(root.resolve("gone"), folder.resolve("not-yet"));
        for (String name : List.of("file", "up", "gone")) {
            assertEquals(Entry.Kind.OTHER, storage.stat(at(name)).orElseThrow().kind());
            assertRefused(() -> storage.download(at(name)).close());
            assertRefused(() -> storage.list(at(name), Storage.Depth.ALL, _ -> {}));
            assertRefused(() -> storage.copy(at(name), at("copy")));
        }
        for (String way : List.of("up", "gone")) {
            assertRefused(() -> storage.stat(at(way, "secret")));
            assertRefused(() -> put("x", way, "secret"));
            assertRefused(() -> storage.delete(at(way, "secret")));
            assertRefused(() -> storage.makeFolder(at(way, "made")));
        }
        var transfer = new Transfer(storage, Progress.NONE);
        transfer.download(at(), local.resolve("copy"));
        try (var came = Files.list(local.resolve("copy"))) {
            assertEquals(List.of(), came.toList());
        }
        assertEquals(List.of("file", "gone", "up"), shown(at(), Storage.Depth.ALL));
        assertEquals("secret", Files.readString(folder.resolve("secret")));
        assertFalse(Files.exists(folder.resolve("not-yet")));
        assertFalse(Files.exists(folder.resolve("made")));
    }

    /** Compared as text, the path of a sibling begins like the root's. */
    @Test
    void aLinkToAFolderWhoseNameBeginsLikeTheRootLeadsOut() throws Exception {
        Path sibling = Files.createDirectory(root.resolveSibling(root.getFileName() + "2"));
        Files.writeString(sibling.resolve("secret"), "secret");
        Files.createSymbolicLink(root.resolve("next"), sibling);
        Files.createSymbolicLink(root.resolve("file"), sibling.resolve("secret"));
        assertRefused(() -> storage.stat(at("next", "secret")));
        assertRefused(() -> storage.download(at("next", "secret")).close());
        assertRefused(() -> storage.download(at("file")).close());
        assertRefused(() -> put("x", "next", "new"));
        assertRefused(() -> storage.makeFolder(at("next", "made")));
        assertRefused(() -> storage.delete(at("next", "secret")));
        try (var left = Files.list(sibling)) {
            assertEquals(List.of(sibling.resolve("secret")), left.toList());
        }
    }

    @Test
    void aDeleteRemovesLinksAndNotWhatTheyLeadTo() throws Exception {
        Files.writeString(folder.resolve("outside/kept"), "kept");
        put("x", "data", "file");
        Files.createSymbolicLink(root.resolve("data/out"), folder.resolve("outside"));
        Files.createSymbolicLink(root.resolve("link"), folder.resolve("outside"));
        storage.delete(at("link"));
        storage.delete(at("data"));
        assertEquals("kept", Files.readString(folder.resolve("outside/kept")));
        assertFalse(Files.exists(root.resolve("link"), LinkOption.NOFOLLOW_LINKS));
        assertFalse(Files.exists(root.resolve("data"), LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void aFolderThatLinksToItselfHasAnEnd() throws Exception {
        put("x", "data", "file");
        Files.createSymbolicLink(root.resolve("data/again"), Path.of("."));
        assertEquals(List.of("data/", "data/again", "data/file"), shown(at(), Storage.Depth.ALL));
    }

    /** To open a pipe would wait for a writer that may never come. */
    @Test
    void aPipeIsNotRead() throws Exception {
        var made = new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start();
        assertEquals(0, made.waitFor());
        assertEquals(Entry.Kind.OTHER, storage.stat(at("pipe")).orElseThrow().kind());
        assertRefused(() -> storage.download(at("pipe")).close());
    }

    @Test
    void whatACrashLeftOfAnUploadIsNotShownAndGoesWithItsFolder() throws Exception {
        put("x", "data", "file");
        Files.writeString(root.resolve("data/" + Storage.PART_PREFIX + "1"), "half");
        assertEquals(List.of("data/", "data/file"), shown(at(), Storage.Depth.ALL));
        storage.delete(at("data"));
        assertFalse(Files.exists(root.resolve("data")));
    }

    @Test
    void aRootMustBeAFolderOfThisMachine() throws Exception {
        Files.writeString(root.resolve("file"), "x");
        for (String address :
                List.of("file:" + root + "/file", "file:" + root + "/no", "file://box/x", "s3:/x"))
            assertRefused(() -> FileStorage.open(Address.of(address)).close());
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void assertRefused(Work work) {
        var refusal = assertThrows(StorageException.class, work::run);
        assertTrue(refusal.getMessage().lines().count() == 1, refusal.getMessage());
    }
}
