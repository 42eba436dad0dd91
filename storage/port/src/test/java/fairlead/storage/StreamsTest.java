package fairlead.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Streams that cut, count and compare what they carry. */
class StreamsTest {
    private static final byte[] TEN = {0, 1, 2, 3, 4, 5, 6, 7, 8, (byte) 200};

    private final Address file;
    private final List<Long> moved = new ArrayList<>();
    private final Progress progress = (_, bytes) -> moved.add(bytes);

    StreamsTest() throws StorageException {
        file = Address.of("file:/data");
    }

    @Test
    void exactlySoManyBytesAreRead() throws IOException {
        assertArrayEquals(Arrays.copyOf(TEN, 7), limited(7).readAllBytes());
        assertArrayEquals(TEN, limited(10).readAllBytes());
        InputStream three = limited(3);
        assertEquals(List.of(0, 1), List.of(three.read(), three.read()));
        assertEquals(1, three.available());
        assertEquals(2, three.read());
        assertEquals(-1, three.read());
        assertEquals(-1, three.read(new byte[4], 0, 4));
        InputStream four = limited(4);
        assertEquals(3, four.skip(3));
        assertEquals(1, four.skip(3));
        assertEquals(-1, four.read());
        assertFalse(four.markSupported());
    }

    @Test
    void aStreamThatEndsTooEarlyIsAnError() throws IOException {
        InputStream twelve = limited(12);
        assertEquals(10, twelve.readNBytes(new byte[10], 0, 10));
        var cut = assertThrows(EOFException.class, twelve::read);
        assertEquals("it ends 2 bytes too early", cut.getMessage());
        assertThrows(EOFException.class, () -> limited(11).readAllBytes());
    }

    private static InputStream limited(long bytes) {
        return new Limited(new ByteArrayInputStream(TEN), bytes);
    }

    @Test
    void whatIsReadIsToldOnceAlsoWhenItIsReadAgain() throws IOException {
        var told = new AtomicLong();
        InputStream first = watched(told);
        assertEquals(0, first.read());
        assertEquals(4, first.read(new byte[4], 0, 4));
        assertEquals(List.of(1L, 4L), moved);
        moved.clear();
        InputStream again = watched(told);
        assertEquals(3, again.read(new byte[3], 0, 3));
        assertEquals(List.of(), moved, "of these it was told");
        assertEquals(7, again.readNBytes(new byte[7], 0, 7));
        assertEquals(-1, again.read());
        assertEquals(-1, again.read(new byte[1], 0, 1));
        assertEquals(List.of(5L), moved);
        assertFalse(again.markSupported());
    }

    private InputStream watched(AtomicLong told) {
        return new Watched(new ByteArrayInputStream(TEN), file, progress, told);
    }

    @Test
    void aProgressOrAnInterruptEndsTheReading() {
        var refusal = new StorageException("that is enough");
        Progress ending =
                (_, _) -> {
                    throw refusal;
                };
        var stream = new Watched(new ByteArrayInputStream(TEN), file, ending, new AtomicLong());
        var ended = assertThrows(IOException.class, stream::read);
        assertSame(refusal, ended.getCause());
        assertSame(refusal, Ended.failed("reading failed", ended));
        Thread.currentThread().interrupt();
        var stopped = assertThrows(IOException.class, () -> watched(new AtomicLong()).read());
        assertTrue(Thread.interrupted());
        assertEquals("interrupted at file:/data", stopped.getMessage());
    }

    @Test
    void piecesAreOneStreamAndEachIsClosed() throws IOException {
        var closed = new AtomicBoolean();
        InputStream one =
                new ByteArrayInputStream(TEN, 0, 4) {
                    @Override
                    public void close() {
                        closed.set(true);
                    }
                };
        InputStream two = new ByteArrayInputStream(TEN, 4, 6);
        var pieces = List.of(new Piece("a", 4, () -> one), new Piece("b", 6, () -> two));
        try (var stream = new PiecesStream(file, pieces, progress)) {
            assertEquals(0, stream.read(new byte[1], 0, 0));
            assertEquals(0, stream.read());
            var rest = stream.readAllBytes();
            assertArrayEquals(Arrays.copyOfRange(TEN, 1, 10), rest);
            assertTrue(closed.get());
            assertEquals(-1, stream.read());
        }
        assertEquals(10, moved.stream().mapToLong(Long::longValue).sum());
        var few = List.of(new Piece("a", 5, () -> new ByteArrayInputStream(TEN, 0, 4)));
        assertThrows(
                EOFException.class, () -> new PiecesStream(file, few, progress).readAllBytes());
    }

    @Test
    void aStreamThatIsLeftInTheMiddleIsClosed() throws IOException {
        var closed = new AtomicBoolean();
        InputStream one =
                new ByteArrayInputStream(TEN) {
                    @Override
                    public void close() {
                        closed.set(true);
                    }
                };
        var pieces = List.of(new Piece("a", 10, () -> one));
        try (var stream = new PiecesStream(file, pieces, progress)) {
            assertEquals(0, stream.read());
            assertFalse(closed.get());
        }
        assertTrue(closed.get());
    }

    @Test
    void aByteAboveTheLettersIsNoEnd() throws IOException {
        var piece = new Piece("a", 1, () -> new ByteArrayInputStream(TEN, 9, 1));
        assertEquals(200, new PiecesStream(file, List.of(piece), progress).read());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 10})
    void everyPartIsComparedWithItsChecksumHoweverItComes(int step) throws StorageException {
        var verifier = new Verifier(file, content("", part(0, 4), part(4, 6)));
        for (int at = 0; at < 10; at += step) {
            verifier.update(TEN, at, Math.min(step, 10 - at));
        }
        verifier.end();
        assertEquals(10, verifier.backToGood());
    }

    @Test
    void aDamagedPartIsNamedByItsEndAndWhatWasGoodBeforeIsKept() throws StorageException {
        var wrong = new Content.Part(part(0, 6).id(), 6);
        var verifier = new Verifier(file, content("", part(0, 4), wrong));
        assertTrue(verifier.matches(TEN, 0, 9));
        assertEquals(4, verifier.backToGood());
        var damaged = assertThrows(StorageException.class, () -> verifier.update(TEN, 4, 6));
        assertEquals(
                "file:/data is damaged: what ends at byte 10 does not match its checksum",
                damaged.getMessage());
    }

    /** It would cost ten times as much as the checksums. */
    @Test
    void whereEveryPartHasAChecksumNoMd5IsMade() throws StorageException {
        var verifier = new Verifier(file, content("of another file", part(0, 4), part(4, 6)));
        verifier.update(TEN, 0, 10);
        verifier.end();
        var mixed = content("of another file", part(0, 4), new Content.Part("anything", 6));
        var needsIt = new Verifier(file, mixed);
        needsIt.update(TEN, 0, 10);
        assertThrows(StorageException.class, needsIt::end);
    }

    @Test
    void whatIsForgottenIsComparedWhenItComesAgain() throws StorageException {
        Content.Part[] parts = {part(0, 4), new Content.Part("anything", 2), part(6, 4)};
        String md5 = Base64.getEncoder().encodeToString(Verifier.md5().digest(TEN));
        var right = new Verifier(file, content(md5, parts));
        right.update(TEN, 0, 5);
        assertEquals(4, right.backToGood());
        right.update(TEN, 4, 4);
        assertEquals(6, right.backToGood());
        right.update(TEN, 6, 4);
        right.end();
        var wrong = new Verifier(file, content("of another file", parts));
        wrong.update(TEN, 0, 5);
        assertEquals(4, wrong.backToGood());
        wrong.update(TEN, 4, 6);
        assertThrows(StorageException.class, wrong::end);
    }

    @Test
    void aPartWhoseIdIsNoChecksumIsNotCompared() throws StorageException {
        var verifier = new Verifier(file, content("", new Content.Part("anything", 10)));
        verifier.update(TEN, 0, 10);
        verifier.end();
    }

    @Test
    void whereNoPartIsKnownTheWholeIsCompared() throws StorageException {
        String md5 = Base64.getEncoder().encodeToString(Verifier.md5().digest(TEN));
        var good = new Verifier(file, content(md5));
        good.update(TEN, 0, 5);
        assertEquals(5, good.backToGood());
        good.update(TEN, 5, 5);
        good.end();
        var bad = new Verifier(file, content(md5));
        bad.update(TEN, 0, 9);
        var damaged = assertThrows(StorageException.class, bad::end);
        assertEquals(
                "file:/data is damaged: all of it does not match its checksum",
                damaged.getMessage());
        var unknown = new Verifier(file, content(""));
        unknown.update(TEN, 0, 9);
        unknown.end();
    }

    private static Content.Part part(int from, int bytes) {
        var checksum = new Checksum();
        checksum.update(TEN, from, bytes);
        return new Content.Part(checksum.id(), bytes);
    }

    private static Content content(String md5, Content.Part... parts) {
        return new Content() {
            @Override
            public long bytes() {
                return TEN.length;
            }

            @Override
            public String version() {
                return "1";
            }

            @Override
            public String md5() {
                return md5;
            }

            @Override
            public List<Part> parts() {
                return List.of(parts);
            }

            @Override
            public InputStream read(long offset, long bytes) {
                return new ByteArrayInputStream(TEN, (int) offset, (int) bytes);
            }
        };
    }

    @Test
    void aChecksumHasBothCodesAndBeginsAnew() {
        var checksum = new Checksum();
        checksum.update("123456789".getBytes(), 0, 9);
        assertEquals("ce3069283cbf43926", checksum.id(), "the check values of CRC-32C and CRC-32");
        checksum.reset();
        assertEquals("c0000000000000000", checksum.id());
        assertTrue(Checksum.isId("ce3069283cbf43926"));
        assertFalse(Checksum.isId("e3069283cbf43926"));
    }

    @Test
    void aPieceHasAnIdAndBytes() {
        assertThrows(IllegalArgumentException.class, () -> new Piece("a/b", 1, () -> null));
        assertThrows(IllegalArgumentException.class, () -> new Piece("a", 0, () -> null));
        assertEquals(1, new Piece("a".repeat(44), 1, () -> null).bytes());
    }
}
