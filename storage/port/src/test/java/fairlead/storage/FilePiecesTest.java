package fairlead.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A file as pieces: together they are the file, and each is what its id says or fails. */
class FilePiecesTest {
    private static final int PIECE = Transfer.PIECE_BYTES;

    @TempDir Path folder;

    private Path file(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("file"), bytes);
    }

    private static byte[] noise(int bytes) {
        var noise = new byte[bytes];
        new Random(bytes).nextBytes(noise);
        return noise;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 77_777})
    void thePiecesAreTheFileAndEachHasTheChecksumOfItsBytes(int size) throws Exception {
        byte[] bytes = noise(size);
        List<Piece> pieces = FilePieces.of(file(bytes));
        assertEquals((size + PIECE - 1) / PIECE, pieces.size());
        var all = new ByteArrayOutputStream();
        for (Piece piece : pieces) {
            assertEquals(Math.min(PIECE, size - all.size()), piece.bytes());
            var checksum = new Checksum();
            checksum.update(bytes, all.size(), (int) piece.bytes());
            assertEquals(checksum.id(), piece.id());
            try (InputStream in = piece.opener().open()) {
                all.write(in.readAllBytes());
            }
        }
        assertArrayEquals(bytes, all.toByteArray());
    }

    @Test
    void aPieceIsReadAsOftenAsItIsAskedAlsoByteByByte() throws Exception {
        byte[] bytes = {1, -1, 0};
        Piece piece = FilePieces.of(file(bytes)).getFirst();
        for (int time = 0; time < 2; time++) {
            try (InputStream in = piece.opener().open()) {
                assertFalse(in.markSupported());
                assertEquals(1, in.read());
                assertEquals(255, in.read());
                assertEquals(0, in.read());
                assertEquals(-1, in.read());
                assertEquals(-1, in.read(new byte[2], 0, 2));
            }
        }
    }

    @Test
    void whatIsReadIsPutWhereItIsAskedFor() throws Exception {
        Piece piece = FilePieces.of(file(new byte[] {7, 8, 9})).getFirst();
        var buffer = new byte[5];
        try (InputStream in = piece.opener().open()) {
            assertEquals(2, in.read(buffer, 2, 2));
            assertArrayEquals(new byte[] {0, 0, 7, 8, 0}, buffer);
            assertEquals(1, in.read(buffer, 0, 5));
        }
        assertArrayEquals(new byte[] {9, 0, 7, 8, 0}, buffer);
    }

    @Test
    void thePieceThatHasChangedSinceIsNotGivenWholeAndTheOtherIs() throws Exception {
        byte[] bytes = noise(PIECE + 1_000);
        Path file = file(bytes);
        List<Piece> pieces = FilePieces.of(file);
        bytes[PIECE + 3]++;
        file(bytes);
        try (InputStream in = pieces.getFirst().opener().open()) {
            assertEquals(PIECE, in.readAllBytes().length);
        }
        try (InputStream in = pieces.getLast().opener().open()) {
            assertEquals(999, in.readNBytes(999).length);
            var changed = assertThrows(IOException.class, in::read);
            assertEquals("it has changed while it was being read", changed.getMessage());
        }
    }

    @Test
    void aFileThatBecameShorterIsNotGivenWhole() throws Exception {
        byte[] bytes = noise(1_000);
        Piece piece = FilePieces.of(file(bytes)).getFirst();
        file(Arrays.copyOf(bytes, 999));
        try (InputStream in = piece.opener().open()) {
            var changed = assertThrows(IOException.class, in::readAllBytes);
            assertEquals("it has changed while it was being read", changed.getMessage());
        }
    }

    @Test
    void anInterruptEndsTheReadingOfTheIds() throws Exception {
        Path file = file(noise(10));
        Thread.currentThread().interrupt();
        var ended = assertThrows(StorageException.class, () -> FilePieces.of(file));
        assertTrue(Thread.interrupted());
        assertEquals("interrupted at " + file, ended.getMessage());
    }
}
