package fairlead.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** What goes up to a storage: which files of a folder, each how often, and how many at once. */
@Timeout(60)
class UploadTest {
    /** Writes down which files came in pieces. */
    private static class Pieced extends MemoryStorage {
        private final List<Integer> pieces = new ArrayList<>();

        Pieced(boolean hasMd5) throws StorageException {
            super("memory://here/root", hasMd5);
        }

        @Override
        public void uploadPieces(Address file, List<Piece> all, Progress progress)
                throws StorageException {
            pieces.add(all.size());
            super.uploadPieces(file, all, progress);
        }
    }

    @TempDir Path local;
    private Path from;
    private Pieced storage;
    private Address to;

    @BeforeEach
    void open() throws Exception {
        from = Files.createDirectory(local.resolve("folder"));
        use(new Pieced(true));
    }

    private void use(Pieced used) throws StorageException {
        storage = used;
        to = used.root().child("data").child("v1");
    }

    private Path write(String name, String text) throws Exception {
        Path file = from.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private void link(String name, String target) throws Exception {
        Files.createSymbolicLink(from.resolve(name), Path.of(target));
    }

    private Tally upload() throws StorageException {
        var tally = new Tally();
        new Transfer(storage, tally).upload(from, to);
        return tally;
    }

    private List<String> shown() throws StorageException {
        var names = new TreeSet<String>();
        storage.list(
                to,
                Storage.Depth.ALL,
                entry ->
                        names.add(
                                String.join("/", entry.address().below(to))
                                        + (entry.isFolder() ? "/" : "")));
        return List.copyOf(names);
    }

    private String text(String... names) throws StorageException {
        Address file = to;
        for (String name : names) file = file.child(name);
        return new String(storage.bytes(file), UTF_8);
    }

    @Test
    void aFolderGoesWithAllThatIsInIt() throws Exception {
        write("1", "one");
        write("b/2", "twos");
        write("b/" + Storage.PART_PREFIX + "1", "of a broken download");
        Files.createDirectories(from.resolve("empty/inner"));
        upload().assertAddsUp(7, 0);
        assertEquals(List.of("1", "b/", "b/2", "empty/", "empty/inner/"), shown());
        assertEquals("one", text("1"));
        assertEquals("twos", text("b", "2"));
    }

    @Test
    void anEmptyFolderGoesToo() throws Exception {
        upload().assertAddsUp(0, 0);
        assertTrue(storage.stat(to).orElseThrow().isFolder());
    }

    @Test
    void oneFileGoesToBeTheAddress() throws Exception {
        from = write("1", "one");
        upload().assertAddsUp(3, 0);
        assertEquals("one", text());
    }

    @Test
    void whatIsThereAlreadyByItsMd5DoesNotTravelAgain() throws Exception {
        write("a", "same");
        write("b/changed", "old!");
        write("longer", "x");
        upload().assertAddsUp(9, 0);
        upload().assertAddsUp(0, 9);
        write("b/changed", "new!");
        write("longer", "xyz");
        write("fresh", "!");
        upload().assertAddsUp(8, 4);
        assertEquals("new!", text("b", "changed"));
        assertEquals("xyz", text("longer"));
        assertEquals("same", text("a"));
    }

    @Test
    void withoutAnMd5AllTravelsAgain() throws Exception {
        use(new Pieced(false));
        write("a", "same");
        upload().assertAddsUp(4, 0);
        upload().assertAddsUp(4, 0);
    }

    @Test
    void aFolderDoesNotTakeThePlaceOfAFile() throws Exception {
        storage.upload(InputStream.nullInputStream(), to);
        write("a", "x");
        assertThrows(StorageException.class, this::upload);
        assertEquals("", text());
    }

    @Test
    void onlyWhatIsLargerThanAPieceGoesInPieces() throws Exception {
        byte[] bytes = new byte[Transfer.PIECE_BYTES];
        new Random(7).nextBytes(bytes);
        from = Files.write(local.resolve("file"), bytes);
        upload().assertAddsUp(bytes.length, 0);
        assertEquals(List.of(), storage.pieces);
        assertArrayEquals(bytes, storage.bytes(to));
        Files.writeString(from, "!", StandardOpenOption.APPEND);
        upload().assertAddsUp(bytes.length + 1, 0);
        assertEquals(List.of(2), storage.pieces);
        assertArrayEquals(Files.readAllBytes(from), storage.bytes(to));
    }

    @Test
    void linksInsideTheFolderAreFollowedAndOthersAreNamed() throws Exception {
        Files.writeString(local.resolve("secret"), "no");
        Files.createDirectory(local.resolve("outside"));
        write("real/a", "a");
        link("file", "real/a");
        link("folder", "real");
        link("gone", "nowhere");
        link("out", "../secret");
        link("outside", "../outside");
        link("real/loop", "..");
        String pipe = from.resolve("pipe").toString();
        assertEquals(0, new ProcessBuilder("mkfifo", pipe).start().waitFor());
        Tally tally = upload();
        tally.assertAddsUp(3, 0);
        assertEquals(List.of("file", "folder/", "folder/a", "real/", "real/a"), shown());
        assertEquals("a", text("folder", "a"));
        assertEquals(
                Map.of(
                        "gone", "the link leads nowhere",
                        "out", "the link leads out of the folder",
                        "outside", "the link leads out of the folder",
                        "loop", "the link leads back to a folder that it is in",
                        "pipe", "it is no file and no folder"),
                tally.leftOut);
    }

    @Test
    void theFolderItselfMayBeALink() throws Exception {
        write("a", "a");
        Path link = local.resolve("link");
        Files.createSymbolicLink(link, from);
        from = link;
        upload().assertAddsUp(1, 0);
        assertEquals(List.of("a"), shown());
    }

    /** A storage whose files are all in work before the first of them is done. */
    private static final class Crowded extends Pieced {
        /** A file as large as a piece counts a little more than its bytes. */
        private static final int MOST = Transfer.BYTES_AT_ONCE / Transfer.PIECE_BYTES - 1;

        private final CountDownLatch crowd = new CountDownLatch(MOST);
        private final AtomicInteger now = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        Crowded() throws StorageException {
            super(false);
        }

        @Override
        public void upload(InputStream content, Address file) throws StorageException {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            try {
                crowd.countDown();
                crowd.await();
                super.upload(content, file);
            } catch (InterruptedException ended) {
                throw new StorageException("interrupted", ended);
            } finally {
                now.decrementAndGet();
            }
        }
    }

    @Test
    void theBytesInWorkAtOnceHaveABound() throws Exception {
        int files = 2 * Crowded.MOST;
        for (int i = 0; i < files; i++) {
            try (var file = new RandomAccessFile(from.resolve("file" + i).toFile(), "rw")) {
                file.setLength(Transfer.PIECE_BYTES);
            }
        }
        var crowded = new Crowded();
        use(crowded);
        upload().assertAddsUp((long) files * Transfer.PIECE_BYTES, 0);
        assertEquals(Crowded.MOST, crowded.most.get());
    }

    @Test
    void anInterruptBeforeTheFirstFileIsKept() throws Exception {
        write("a", "a");
        var interrupting =
                new Tally() {
                    @Override
                    public synchronized void foundAll() {
                        Thread.currentThread().interrupt();
                    }
                };
        var ended =
                assertThrows(
                        StorageException.class,
                        () -> new Transfer(storage, interrupting).upload(from, to));
        assertTrue(Thread.interrupted());
        assertEquals("interrupted at memory://here/root/data/v1/a", ended.getMessage());
        assertTrue(storage.stat(to).isEmpty());
    }
}
