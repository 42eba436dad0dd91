package fairlead.storage.azureblob;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.storage.Address;
import fairlead.storage.Progress;
import fairlead.storage.Transfer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A file that is larger than the memory of the program that moves it, and more files than a listing
 * shows in one answer. {@code ./check --large} takes a file of 1 GiB and as many files as Azure
 * itself lists in two answers, which takes Azurite a while.
 */
class LargeFileTest {
    private static final boolean IS_LARGE = Boolean.getBoolean("fairlead.large");

    private static final int HEAP_MEBIBYTES = 112;

    /** More than the heap. */
    private static final int MEBIBYTES = IS_LARGE ? 1_024 : 128;

    private static final int NAMES_PER_PAGE = IS_LARGE ? 5_000 : 300;

    /** Full pages, and one more that is not full. */
    private static final int MANY = 2 * NAMES_PER_PAGE + 50;

    private static final long RESIDENT_MAX_KIB = 256 * 1024;

    @TempDir Path folder;

    @Test
    void aLargeFileMovesInLittleMemory() throws Exception {
        Path source = folder.resolve("source");
        write(source);
        try (var azurite = Azurite.start(Files.createDirectory(folder.resolve("azurite")))) {
            azurite.container("large");
            for (String way : List.of("upload", "download")) {
                long kib = moved(way, way.equals("upload") ? source : back(), azurite);
                assertTrue(kib < RESIDENT_MAX_KIB, way + " took " + kib + " KiB");
            }
        }
        assertEquals(-1, Files.mismatch(source, back()));
    }

    @Test
    void aFolderOfSeveralPagesGoesThereAndBack() throws Exception {
        Path source = Files.createDirectory(folder.resolve("source"));
        for (int i = 0; i < MANY; i++) Files.writeString(source.resolve("file " + i), "text " + i);
        try (var azurite = Azurite.start(Files.createDirectory(folder.resolve("azurite")))) {
            Address root = azurite.container("many");
            try (var storage = new AzureBlobProvider(NAMES_PER_PAGE).open(root, azurite.bySas())) {
                var seen = new Counter();
                new Transfer(storage, seen).upload(source, root.child("many"));
                assertEquals(MANY, seen.finished());
                new Transfer(storage, Progress.NONE).download(root.child("many"), back());
                var again = new Counter();
                new Transfer(storage, again).upload(source, root.child("many"));
                assertEquals(0, again.moved());
                assertEquals(seen.moved(), again.skipped());
            }
        }
        for (int i = 0; i < MANY; i++)
            assertEquals("text " + i, Files.readString(back().resolve("file " + i)));
        try (var files = Files.list(back())) {
            assertEquals(MANY, files.count());
        }
    }

    private Path back() {
        return folder.resolve("back");
    }

    private static void write(Path file) throws IOException {
        var random = new SplittableRandom(1);
        var mebibyte = new byte[1 << 20];
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int i = 0; i < MEBIBYTES; i++) {
                random.nextBytes(mebibyte);
                out.write(mebibyte);
            }
        }
    }

    /** Moves it by a program of its own, which tells the most memory that it had. */
    private static long moved(String way, Path file, Azurite azurite) throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-XX:+UseSerialGC",
                                "-Xmx" + HEAP_MEBIBYTES + "m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Mover.class.getName(),
                                way,
                                file.toString(),
                                azurite.endpoint())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), said);
        return Long.parseLong(said.strip());
    }
}
