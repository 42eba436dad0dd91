package fairlead.storage.azureblob;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.storage.Access;
import fairlead.storage.Address;
import fairlead.storage.Checksum;
import fairlead.storage.Piece;
import fairlead.storage.Progress;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;
import fairlead.storage.Transfer;
import fairlead.testing.Root;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Large files whose way is cut: what came stays, what is left goes on, nothing half is shown. */
class BrokenTransferTest {
    /** More than travel at once, so that some are whole when the last begin. */
    private static final int PIECES = 10;

    private static final int BYTES = PIECES * Transfer.PIECE_BYTES - 12_345;

    private static final long MOST = 8L * Transfer.PIECE_BYTES + 1;

    @TempDir static Path disk;
    private static Azurite azurite;
    private static int tests;

    @TempDir Path local;
    private Storage storage;
    private Address file;
    private Path source;

    @BeforeAll
    static void start() throws Exception {
        azurite = Azurite.start(disk);
    }

    @AfterAll
    static void stop() {
        if (azurite != null) azurite.close();
    }

    @BeforeEach
    void open() throws Exception {
        Address root = azurite.container("broken").child("test" + tests++);
        storage = new AzureBlobProvider().open(root, azurite.bySas());
        file = root.child("large file");
        source = Files.write(local.resolve("source"), noise(BYTES, 7));
    }

    @AfterEach
    void close() {
        if (storage != null) storage.close();
    }

    private static byte[] noise(int bytes, long seed) {
        var noise = new byte[bytes];
        new SplittableRandom(seed).nextBytes(noise);
        return noise;
    }

    private List<String> localNames() throws IOException {
        try (Stream<Path> files = Files.list(local)) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    private void assertSame(Path one, Path other) throws IOException {
        assertEquals(-1, Files.mismatch(one, other));
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void assertRefused(String words, Work work) {
        var refusal = assertThrows(StorageException.class, work::run);
        assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
        assertEquals(1, refusal.getMessage().lines().count(), refusal.getMessage());
        assertFalse(refusal.getMessage().contains("sig="), refusal.getMessage());
    }

    @Test
    void anUploadThatBrokeOffSendsOnlyTheRest() throws Exception {
        var enough = new Counter(MOST);
        assertRefused("enough", () -> new Transfer(storage, enough).upload(source, file));
        assertTrue(storage.stat(file).isEmpty());
        var rest = new Counter();
        new Transfer(storage, rest).upload(source, file);
        assertTrue(rest.skipped() > 0, "nothing was there: " + rest.skipped());
        assertEquals(BYTES, rest.moved() + rest.skipped());
        assertEquals(BYTES, rest.found());
        new Transfer(storage, Progress.NONE).download(file, local.resolve("back"));
        assertSame(source, local.resolve("back"));
        var nothing = new Counter();
        new Transfer(storage, nothing).upload(source, file);
        assertEquals(0, nothing.moved());
        assertEquals(BYTES, nothing.skipped());
    }

    @Test
    void onlyThePieceThatChangedTravels() throws Exception {
        new Transfer(storage, Progress.NONE).upload(source, file);
        byte[] changed = Files.readAllBytes(source);
        changed[Transfer.PIECE_BYTES + 5]++;
        Files.write(source, changed);
        var seen = new Counter();
        new Transfer(storage, seen).upload(source, file);
        assertEquals(Transfer.PIECE_BYTES, seen.moved());
        new Transfer(storage, Progress.NONE).download(file, local.resolve("back"));
        assertSame(source, local.resolve("back"));
    }

    @Test
    void aFileOfExactlyOnePieceTravelsOnce() throws Exception {
        Files.write(source, noise(Transfer.PIECE_BYTES, 3));
        new Transfer(storage, Progress.NONE).upload(source, file);
        var again = new Counter();
        new Transfer(storage, again).upload(source, file);
        assertEquals(0, again.moved());
        assertEquals(Transfer.PIECE_BYTES, again.skipped());
        new Transfer(storage, Progress.NONE).download(file, local.resolve("back"));
        assertSame(source, local.resolve("back"));
        var back = new Counter();
        new Transfer(storage, back).download(file, local.resolve("back"));
        assertEquals(0, back.moved());
    }

    /** The download ends when most of it came. */
    private void breakDownload(Path to) {
        var enough = new Counter(MOST);
        assertRefused("enough", () -> new Transfer(storage, enough).download(file, to));
        assertFalse(Files.exists(to));
    }

    @Test
    void aDownloadThatBrokeOffFetchesOnlyTheRest() throws Exception {
        new Transfer(storage, Progress.NONE).upload(source, file);
        Path to = local.resolve("back");
        breakDownload(to);
        assertEquals(2, localNames().size());
        assertTrue(localNames().getFirst().startsWith(Storage.PART_PREFIX));
        var rest = new Counter();
        new Transfer(storage, rest).download(file, to);
        assertTrue(rest.skipped() > 0);
        assertEquals(BYTES, rest.moved() + rest.skipped());
        assertSame(source, to);
        assertEquals(List.of("back", "source"), localNames());
    }

    @Test
    void whatWasDamagedOnTheDiskMeanwhileIsFetchedAgain() throws Exception {
        new Transfer(storage, Progress.NONE).upload(source, file);
        Path to = local.resolve("back");
        breakDownload(to);
        Path part = local.resolve(localNames().getFirst());
        byte[] half = Files.readAllBytes(part);
        half[100]++;
        Files.write(part, half);
        var rest = new Counter();
        new Transfer(storage, rest).download(file, to);
        assertEquals(0, rest.skipped());
        assertSame(source, to);
    }

    @Test
    void twoVersionsAreNeverMixed() throws Exception {
        new Transfer(storage, Progress.NONE).upload(source, file);
        Path to = local.resolve("back");
        breakDownload(to);
        Path other = Files.write(local.resolve("other"), noise(BYTES, 8));
        new Transfer(storage, Progress.NONE).upload(other, file);
        var seen = new Counter();
        new Transfer(storage, seen).download(file, to);
        assertEquals(BYTES, seen.moved());
        assertSame(other, to);
        assertEquals(List.of("back", "other", "source"), localNames());
    }

    @Test
    void aFileThatIsReplacedWhileItIsReadIsTold() throws Exception {
        new Transfer(storage, Progress.NONE).upload(source, file);
        Path to = local.resolve("back");
        var content = storage.content(file);
        storage.upload(new ByteArrayInputStream(noise(BYTES, 9)), file);
        assertRefused("has changed meanwhile", () -> content.read(0, 100).close());
        assertFalse(Files.exists(to));
    }

    @Test
    void contentThatDoesNotMatchItsChecksumIsRefused() throws Exception {
        byte[] good = noise(Transfer.PIECE_BYTES, 1);
        var checksum = new Checksum();
        checksum.update(good, 0, good.length);
        byte[] bad = noise(Transfer.PIECE_BYTES, 2);
        var piece = new Piece(checksum.id(), bad.length, () -> new ByteArrayInputStream(bad));
        storage.uploadPieces(file, List.of(piece, piece), Progress.NONE);
        var transfer = new Transfer(storage, Progress.NONE);
        assertRefused("damaged", () -> transfer.download(file, local.resolve("back")));
        assertFalse(Files.exists(local.resolve("back")));
    }

    /** Cuts every connection in the middle of a piece, until it has no cuts left. */
    @Test
    void aConnectionThatIsCutIsOpenedAgain() throws Exception {
        int cuts = 3;
        try (var proxy = new CutProxy(azurite.port(), cuts, 5 << 20);
                var storage = by(proxy)) {
            new Transfer(storage, Progress.NONE).upload(source, file);
            assertEquals(0, proxy.cutsLeft());
        }
        try (var proxy = new CutProxy(azurite.port(), cuts, 5 << 20);
                var storage = by(proxy)) {
            var seen = new Counter();
            new Transfer(storage, seen).download(file, local.resolve("back"));
            assertEquals(0, proxy.cutsLeft());
            assertEquals(BYTES, seen.moved());
        }
        assertSame(source, local.resolve("back"));
    }

    @Test
    void aConnectionThatIsCutForeverIsTold() throws Exception {
        try (var proxy = new CutProxy(azurite.port(), Integer.MAX_VALUE, 100_000);
                var storage = by(proxy)) {
            var transfer = new Transfer(storage, Progress.NONE);
            assertRefused("was not written", () -> transfer.upload(source, file));
        }
        assertTrue(storage.stat(file).isEmpty());
        new Transfer(storage, Progress.NONE).upload(source, file);
        try (var proxy = new CutProxy(azurite.port(), Integer.MAX_VALUE, 0);
                var storage = new AzureBlobProvider().open(file.parent(), azurite.bySas())) {
            Access access = azurite.bySas();
            var endless =
                    new Access(
                            "",
                            access.key(),
                            access.sas(),
                            Optional.of("http://127.0.0.1:" + proxy.port() + "/x"));
            assertRefused("127.0.0.1", () -> new AzureBlobProvider().open(storage.root(), endless));
        }
    }

    private Storage by(CutProxy proxy) throws StorageException {
        String endpoint = "http://127.0.0.1:" + proxy.port() + "/" + Azurite.ACCOUNT;
        Access direct = azurite.bySas();
        return new AzureBlobProvider()
                .open(
                        file.parent(),
                        new Access("", direct.key(), direct.sas(), Optional.of(endpoint)));
    }

    @Test
    void aFullDiskIsToldAndNothingHalfIsShown() throws Exception {
        Root.neededToMount();
        new Transfer(storage, Progress.NONE).upload(source, file);
        Path small = Files.createDirectory(local.resolve("disk"));
        String problem = output("mount", "-t", "tmpfs", "-o", "size=20m", "none", small.toString());
        assertEquals("", problem);
        try {
            Path to = small.resolve("large");
            var transfer = new Transfer(storage, Progress.NONE);
            assertRefused("No space left", () -> transfer.download(file, to));
            assertFalse(Files.exists(to));
            output("mount", "-o", "remount,size=200m", small.toString());
            var rest = new Counter();
            new Transfer(storage, rest).download(file, to);
            assertTrue(rest.skipped() > 0);
            assertSame(source, to);
        } finally {
            assertEquals("", output("umount", small.toString()));
        }
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
