package fairlead.storage.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.storage.Address;
import fairlead.storage.Piece;
import fairlead.storage.Progress;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files that are put together of pieces: what is counted, and whose draft is continued. */
class PiecesTest {
    @TempDir Path root;
    private Storage storage;
    private Address zip;

    @BeforeEach
    void open() throws Exception {
        storage = FileStorage.open(Address.of("file:" + root));
        zip = Address.of("file:" + root.resolve("zip"));
    }

    /** Counts the bytes that have travelled, and those that did not have to. */
    private static final class Sum implements Progress {
        private long moved;
        private long skipped;

        @Override
        public void moved(Address file, long bytes) {
            moved += bytes;
        }

        @Override
        public void skipped(Address file, long bytes) {
            skipped += bytes;
        }
    }

    private void assertSum(long moved, long skipped, Piece... pieces) throws Exception {
        var sum = new Sum();
        storage.uploadPieces(zip, List.of(pieces), sum);
        assertEquals(moved, sum.moved, "travelled");
        assertEquals(skipped, sum.skipped, "skipped");
    }

    private static Piece piece(String text) {
        return new Piece(text, text.length(), () -> new ByteArrayInputStream(text.getBytes(UTF_8)));
    }

    private static Piece broken(String text) {
        return new Piece(
                text,
                text.length(),
                () -> {
                    throw new IOException("the source is gone");
                });
    }

    @Test
    void whatTravelsAndWhatDoesNotAreTheWholeTogether() throws Exception {
        assertSum(6, 0, piece("one"), piece("two"));
        assertSum(0, 6, piece("one"), piece("two"));
        assertSum(5, 6, piece("two"), piece("three"), piece("one"));
        assertEquals("twothreeone", Files.readString(root.resolve("zip")));
    }

    @Test
    void whatADraftHasAlreadyIsSkippedToo() throws Exception {
        var before = List.of(piece("a"), piece("b"), piece("c"), broken("d"));
        assertThrows(
                StorageException.class, () -> storage.uploadPieces(zip, before, Progress.NONE));
        // The last two that were written are written again.
        assertSum(3, 1, piece("a"), piece("b"), piece("c"), piece("d"));
        assertEquals("abcd", Files.readString(root.resolve("zip")));
    }

    /** As many pieces of the same sizes, but others: what is there is not theirs. */
    @Test
    void theDraftOfAnotherContentIsNotContinued() throws Exception {
        var before = List.of(piece("a"), piece("b"), piece("c"), broken("d"));
        assertThrows(
                StorageException.class, () -> storage.uploadPieces(zip, before, Progress.NONE));
        assertSum(4, 0, piece("w"), piece("x"), piece("y"), piece("z"));
        assertEquals("wxyz", Files.readString(root.resolve("zip")));
    }

    @Test
    void theFoldersOnTheWayAreMadeAndAFolderIsNotReplaced() throws Exception {
        Address deep = zip.parent().child("a").child("b");
        storage.uploadPieces(deep, List.of(piece("one")), Progress.NONE);
        assertEquals("one", Files.readString(root.resolve("a/b")));
        Files.createDirectory(root.resolve("zip"));
        var refused =
                assertThrows(
                        StorageException.class,
                        () -> storage.uploadPieces(zip, List.of(piece("one")), Progress.NONE));
        assertTrue(refused.getMessage().contains("is a folder"), refused::getMessage);
    }

    /** A file of no pieces has nothing to be known by, so it is written again. */
    @Test
    void noPiecesAreAnEmptyFile() throws Exception {
        assertSum(3, 0, piece("one"));
        assertSum(0, 0);
        assertEquals(0, Files.size(root.resolve("zip")));
        Files.writeString(root.resolve("zip"), "strange");
        assertSum(0, 0);
        assertEquals(0, Files.size(root.resolve("zip")));
    }
}
