package fairlead.transfer.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** What is known of files, and when that may not be trusted. */
class FileIndexTest {
    @TempDir Path top;
    @TempDir Path indexes;

    private static final Map<String, FileIndex.Known> KNOWN =
            Map.of(
                    "a.py",
                    new FileIndex.Known(
                            new Found.Stamp(5, 1, 2, 3),
                            new Content(5, 7, true, List.of(new Content.Slice(4, new byte[32])))));

    private Path written() throws IOException {
        FileIndex.of(indexes, top).write(KNOWN);
        try (var files = Files.list(indexes)) {
            return files.findFirst().orElseThrow();
        }
    }

    @Test
    void whatWasWrittenIsRead() throws IOException {
        written();
        FileIndex.Known read = FileIndex.of(indexes, top).read().get("a.py");
        assertEquals(KNOWN.get("a.py").stamp(), read.stamp());
        assertEquals(7, read.content().crc());
        assertEquals(4, read.content().packedBytes());
    }

    @ParameterizedTest(name = "cut to {0} bytes")
    @ValueSource(ints = {0, 1, 7, 8, 40, 100})
    void aCutFileIsAsGoodAsNone(int length) throws IOException {
        Path file = written();
        Files.write(file, java.util.Arrays.copyOf(Files.readAllBytes(file), length));
        assertEquals(Map.of(), FileIndex.of(indexes, top).read());
    }

    @Test
    void aDamagedFileIsAsGoodAsNone() throws IOException {
        Path file = written();
        byte[] bytes = Files.readAllBytes(file);
        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x10;
            Files.write(file, damaged);
            assertEquals(Map.of(), FileIndex.of(indexes, top).read(), "byte " + at);
        }
    }

    @Test
    void onlySoManyFoldersAreRemembered() throws IOException {
        for (int i = 0; i < 130; i++) FileIndex.of(indexes, top.resolve("" + i)).write(KNOWN);
        try (var files = Files.list(indexes)) {
            assertEquals(128, files.count());
        }
    }

    private long bytesRead() throws IOException {
        var bytes = new AtomicLong();
        new Packer(Optional.of(indexes), top, bytes::addAndGet)
                .pack(Tree.of(top, List.of(), ZipPatterns.NONE), true);
        return bytes.get();
    }

    @Test
    void aFileThatIsYoungIsReadAgain() throws IOException {
        Files.writeString(top.resolve("young.py"), "12345");
        assertEquals(5, bytesRead());
        assertEquals(5, bytesRead(), "it may have changed again within a step of the clock");
    }

    /**
     * A file's own time can be set, but not the time of its last change: only a wait makes it old.
     */
    @Test
    void aFileThatIsOldAndUnchangedIsNotReadAgain() throws IOException {
        Path file = Files.writeString(top.resolve("old.py"), "12345");
        Instant end = Instant.now().plusSeconds(20);
        while (bytesRead() > 0) {
            assertTrue(Instant.now().isBefore(end), "it is read again and again");
            java.util.concurrent.locks.LockSupport.parkNanos(100_000_000);
        }
        FileTime time = Files.getLastModifiedTime(file);
        Files.writeString(file, "54321");
        Files.setLastModifiedTime(file, time);
        assertEquals(5, bytesRead(), "same size and time, but changed");
    }
}
