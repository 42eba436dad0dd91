package fairlead.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * A large file that comes by several tries: whatever is left of them, only the true bytes are
 * taken.
 */
class LargeDownloadTest {
    /** The pieces that it is read in grow from 2 MiB on; its end is in the middle of a buffer. */
    private static final int BYTES = (9 << 19) + 77;

    private static final int LEFT_BYTES = 3 << 20;

    @TempDir Path folder;
    private final byte[] bytes = new byte[BYTES];
    private Address from;

    /** What a storage may know of a file. */
    enum Known {
        MD5,
        CHECKSUMS_OF_PARTS,
        PARTS_OF_ANOTHER_PROGRAM_AND_MD5
    }

    /** A file of a storage whose line is broken, or changes a byte, where a test says so. */
    private final class Held implements Content {
        private final Known known;
        private boolean isBroken;
        private String version = "1";
        private long changesAt = -1;

        /** The line breaks after the byte before this one. */
        private long breaksAt = -1;

        private final AtomicLong asked = new AtomicLong();
        private final String md5;
        private final List<Part> parts;

        Held(Known known) {
            this.known = known;
            this.md5 = Base64.getEncoder().encodeToString(Verifier.md5().digest(bytes));
            this.parts = cut();
        }

        @Override
        public long bytes() {
            return BYTES;
        }

        @Override
        public String version() {
            return version;
        }

        @Override
        public String md5() {
            return known == Known.CHECKSUMS_OF_PARTS ? "" : md5;
        }

        @Override
        public List<Part> parts() {
            return parts;
        }

        private List<Part> cut() {
            if (known == Known.MD5) return List.of();
            var parts = new ArrayList<Part>();
            int size = 1 << 20;
            for (int at = 0; at < BYTES; at += size) {
                int length = Math.min(size, BYTES - at);
                var sum = new Checksum();
                sum.update(bytes, at, length);
                parts.add(
                        new Part(known == Known.CHECKSUMS_OF_PARTS ? sum.id() : "p" + at, length));
            }
            return parts;
        }

        @Override
        public InputStream read(long offset, long length) throws StorageException {
            if (isBroken) throw new StorageException("the line broke");
            // As a storage that is asked over HTTP does.
            if (length <= 0) throw new StorageException("a range of no bytes");
            byte[] sent = new byte[(int) length];
            System.arraycopy(bytes, (int) offset, sent, 0, (int) length);
            if (changesAt >= offset && changesAt < offset + length)
                sent[(int) (changesAt - offset)]++;
            asked.addAndGet(length);
            var all = new ByteArrayInputStream(sent);
            if (breaksAt < offset || breaksAt >= offset + length) return all;
            return new SequenceInputStream(
                    new ByteArrayInputStream(sent, 0, (int) (breaksAt - offset)),
                    new InputStream() {
                        @Override
                        public int read() throws IOException {
                            throw new IOException("the line broke");
                        }
                    });
        }
    }

    @BeforeEach
    void fill() throws StorageException {
        new Random(7).nextBytes(bytes);
        from = Address.of("file:/there/model");
    }

    private Path to() {
        return folder.resolve("model");
    }

    private void bring(Content content) throws StorageException {
        bring(content, Progress.NONE);
    }

    private void bring(Content content, Progress progress) throws StorageException {
        new LargeDownload(from, content, to(), progress, new Buffers()).run();
    }

    private Path part() throws Exception {
        try (var files = Files.newDirectoryStream(folder, Storage.PART_PREFIX + "*")) {
            return files.iterator().next();
        }
    }

    /** Leaves the part file of a try that broke off after the first piece. */
    private Path breakOff(Known known) throws Exception {
        var held = new Held(known);
        held.isBroken = true;
        assertThrows(StorageException.class, () -> bring(held));
        return Files.write(part(), Arrays.copyOf(bytes, LEFT_BYTES));
    }

    @ParameterizedTest
    @EnumSource
    void aWholePartThatIsDamagedIsNotTaken(Known known) throws Exception {
        Path part = breakOff(known);
        byte[] left = bytes.clone();
        left[BYTES / 3]++;
        Files.write(part, left);
        try {
            bring(new Held(known));
        } catch (StorageException damaged) {
            assertTrue(damaged.getMessage().contains("damaged"), damaged::getMessage);
            assertFalse(Files.exists(to()));
            bring(new Held(known));
        }
        assertArrayEquals(bytes, Files.readAllBytes(to()));
    }

    @ParameterizedTest
    @EnumSource
    void aPartThatWasDamagedBetweenTriesIsNotTaken(Known known) throws Exception {
        Path part = breakOff(known);
        byte[] left = Files.readAllBytes(part);
        left[left.length / 2]++;
        Files.write(part, left);
        try {
            bring(new Held(known));
        } catch (StorageException damaged) {
            assertTrue(damaged.getMessage().contains("damaged"), damaged::getMessage);
            bring(new Held(known));
        }
        assertArrayEquals(bytes, Files.readAllBytes(to()));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsDamagedOnItsWayIsRefusedAndTheNextTryIsRight(Known known) throws Exception {
        breakOff(known);
        var held = new Held(known);
        held.changesAt = BYTES - 1;
        var problem = assertThrows(StorageException.class, () -> bring(held));
        assertTrue(problem.getMessage().contains("damaged"), problem::getMessage);
        assertFalse(Files.exists(to()));
        bring(new Held(known));
        assertArrayEquals(bytes, Files.readAllBytes(to()));
    }

    @ParameterizedTest
    @EnumSource
    void whatHasComeOfAPieceIsInTheFileBeforeAllOfItIs(Known known) throws Exception {
        var held = new Held(known);
        held.breaksAt = 200_000;
        assertThrows(StorageException.class, () -> bring(held));
        assertEquals(200_000, Files.size(part()));
        var whole = new Held(known);
        bring(whole);
        assertArrayEquals(bytes, Files.readAllBytes(to()));
        assertEquals(BYTES - 200_000, whole.asked.get());
    }

    @ParameterizedTest
    @EnumSource
    void aPartThatWasDamagedInItsLastPieceIsTakenByTheTryAfterTheNext(Known known)
            throws Exception {
        Path part = breakOff(known);
        byte[] left = Arrays.copyOf(bytes, (3 << 20) + 500_000);
        left[left.length - 1]++;
        Files.write(part, left);
        assertThrows(StorageException.class, () -> bring(new Held(known)));
        var again = new Held(known);
        bring(again);
        assertArrayEquals(bytes, Files.readAllBytes(to()));
        if (known == Known.CHECKSUMS_OF_PARTS) assertEquals(BYTES - (3 << 20), again.asked.get());
    }

    @Test
    void aWholeAndGoodPartIsTakenWithoutARead() throws Exception {
        Path part = breakOff(Known.MD5);
        Files.write(part, bytes);
        var held = new Held(Known.MD5);
        held.isBroken = true;
        bring(held);
        assertArrayEquals(bytes, Files.readAllBytes(to()));
    }

    @Test
    void bytesBehindTheEndOfAPartAreCutOff() throws Exception {
        Path part = breakOff(Known.MD5);
        Files.write(part, Arrays.copyOf(bytes, BYTES + 10));
        var held = new Held(Known.MD5);
        held.isBroken = true;
        bring(held);
        assertArrayEquals(bytes, Files.readAllBytes(to()));
    }

    @Test
    void whatWasLeftIsSkippedAndTheRestMoves() throws Exception {
        breakOff(Known.MD5);
        var tally = new Tally();
        tally.found(from, BYTES);
        tally.foundAll();
        tally.moved(from, 0);
        bring(new Held(Known.MD5), tally);
        tally.finished(from);
        tally.assertAddsUp(BYTES - LEFT_BYTES, LEFT_BYTES);
    }

    /** The two texts have the same hash code in Java. */
    @Test
    void anotherVersionBeginsAnewAndRemovesWhatIsLeftOfTheFirst() throws Exception {
        var first = new Held(Known.MD5);
        first.version = "Aa";
        first.breaksAt = 200_000;
        assertThrows(StorageException.class, () -> bring(first));
        Path left = part();
        Path others = Files.writeString(folder.resolve(Storage.PART_PREFIX + "1"), "another's");
        var second = new Held(Known.MD5);
        second.version = "BB";
        second.isBroken = true;
        assertThrows(StorageException.class, () -> bring(second));
        assertFalse(Files.exists(left));
        second.isBroken = false;
        bring(second);
        assertEquals(BYTES, second.asked.get());
        try (var files = Files.list(folder)) {
            assertEquals(Set.of(others, to()), files.collect(Collectors.toSet()));
        }
    }

    @Test
    void whatIsBeingBroughtAlreadyIsRefused() throws Exception {
        Path part = breakOff(Known.MD5);
        try (var other = FileChannel.open(part, StandardOpenOption.WRITE);
                var _ = other.lock()) {
            var refused = assertThrows(StorageException.class, () -> bring(new Held(Known.MD5)));
            assertTrue(refused.getMessage().contains("already"), refused::getMessage);
            assertEquals(LEFT_BYTES, Files.size(part), "the other's part stays");
        }
        bring(new Held(Known.MD5));
        assertArrayEquals(bytes, Files.readAllBytes(to()));
    }
}
