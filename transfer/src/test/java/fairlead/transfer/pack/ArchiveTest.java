package fairlead.transfer.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.storage.Piece;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipInputStream;

/** Archives that other tools read, in pieces that stay the same where files do (A25 to A27). */
class ArchiveTest {
    @TempDir Path top;
    @TempDir Path elsewhere;

    private Archive pack() throws IOException {
        return new Packer(Optional.of(elsewhere.resolve("indexes")), top, _ -> {})
                .pack(Tree.of(top, List.of(), ZipPatterns.NONE), true);
    }

    private Path written(Archive archive) throws IOException {
        Path zip = elsewhere.resolve("code.zip");
        try (OutputStream out = Files.newOutputStream(zip)) {
            for (Piece piece : archive.pieces()) {
                try (InputStream in = piece.opener().open()) {
                    assertEquals(piece.bytes(), in.transferTo(out), piece.id());
                }
            }
        }
        assertEquals(archive.bytes(), Files.size(zip));
        return zip;
    }

    private void grow(int files) throws IOException {
        var dice = new SplittableRandom(1);
        for (int i = 0; i < files; i++) {
            Path file = top.resolve("package" + i % 7).resolve("module" + i + ".py");
            Files.createDirectories(file.getParent());
            var text = new StringBuilder();
            int lines = dice.nextInt(400);
            for (int line = 0; line < lines; line++)
                text.append("value = ").append(dice.nextInt(1_000_000)).append('\n');
            Files.writeString(file, text);
        }
    }

    private static String run(Path folder, String... words) throws IOException {
        Process process =
                new ProcessBuilder(words)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        assertEquals(0, process.exitValue(), said);
        return said;
    }

    @Test
    void unzipAndPythonReadWhatWasPacked() throws IOException {
        grow(300);
        Path script = Files.writeString(top.resolve("run.sh"), "#!/bin/sh\necho hi\n");
        Files.setPosixFilePermissions(
                script, Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_EXECUTE));
        Files.createSymbolicLink(top.resolve("link"), Path.of("run.sh"));
        Files.createSymbolicLink(top.resolve("nowhere"), Path.of("../not/there"));
        Files.createDirectories(top.resolve("empty/folder"));
        Files.createFile(top.resolve("nothing"));
        Files.writeString(top.resolve("größe %20 x.txt"), "unicode");
        var noise = new byte[3 << 20];
        new SplittableRandom(2).nextBytes(noise);
        Files.write(top.resolve("noise.bin"), noise);
        Files.writeString(top.resolve("large.txt"), "0123456789 text\n".repeat(1 << 20));
        Path zip = written(pack());
        run(elsewhere, "unzip", "-tq", zip.toString());
        Path out = Files.createDirectories(elsewhere.resolve("out"));
        run(out, "unzip", "-q", zip.toString());
        run(elsewhere, "diff", "-r", "--no-dereference", top.toString(), out.toString());
        assertTrue(Files.isExecutable(out.resolve("run.sh")));
        assertTrue(Files.isDirectory(out.resolve("empty/folder")));
        assertEquals(Path.of("run.sh"), Files.readSymbolicLink(out.resolve("link")));
        assertTrue(Files.exists(out.resolve("nowhere"), LinkOption.NOFOLLOW_LINKS));
        run(
                elsewhere,
                "python3",
                "-c",
                "import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None;"
                        + " assert len(z.namelist()) == 308, len(z.namelist())",
                zip.toString());
    }

    @Test
    void aReaderThatStreamsSeesTheSameEntries() throws IOException {
        grow(200);
        int entries = 0;
        try (var in = new ZipInputStream(Files.newInputStream(written(pack())))) {
            for (var entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                byte[] content = in.readAllBytes();
                assertEquals(Files.size(top.resolve(entry.getName())), content.length);
                entries++;
            }
        }
        assertEquals(200, entries);
    }

    @Test
    void theSameTreeGivesTheSameBytes() throws IOException {
        grow(100);
        byte[] first = Files.readAllBytes(written(pack()));
        Path copy = Files.createDirectories(elsewhere.resolve("copy"));
        run(elsewhere, "cp", "-r", top + "/.", copy.toString());
        Archive again =
                new Packer(Optional.empty(), copy, _ -> {})
                        .pack(Tree.of(copy, List.of(), ZipPatterns.NONE), true);
        org.junit.jupiter.api.Assertions.assertArrayEquals(
                first, Files.readAllBytes(written(again)));
    }

    private long newBytes(Archive before, Archive after) {
        var known = new HashSet<String>();
        for (Piece piece : before.pieces()) known.add(piece.id());
        long bytes = 0;
        for (Piece piece : after.pieces()) if (!known.contains(piece.id())) bytes += piece.bytes();
        return bytes;
    }

    @Test
    void aChangedFileChangesThePieceItIsInAndLittleElse() throws IOException {
        grow(3_000);
        Archive before = pack();
        assertTrue(before.pieces().size() > 20, before.pieces().size() + " pieces");
        Path changed = top.resolve("package3/module1501.py");
        Files.writeString(changed, Files.readString(changed) + "one = 1\n");
        long bytes = newBytes(before, pack());
        assertTrue(bytes > 0 && bytes < 700_000, bytes + " of " + before.bytes());
        Files.writeString(top.resolve("package3/new.py"), "new = 1\n");
        Archive more = pack();
        Files.delete(top.resolve("package3/new.py"));
        assertTrue(newBytes(pack(), more) < 1_000_000);
    }

    @Test
    void aLargeFileTravelsInSlices() throws IOException {
        var noise = new byte[20 << 20];
        new SplittableRandom(3).nextBytes(noise);
        Path file = Files.write(top.resolve("weights.bin"), noise);
        Archive before = pack();
        noise[9 << 20]++;
        Files.write(file, noise);
        long bytes = newBytes(before, pack());
        assertTrue(bytes >= 4 << 20 && bytes < 5 << 20, bytes + " bytes");
    }

    @Test
    void aFileThatChangesMeanwhileIsNoticed() throws IOException {
        Path file = Files.writeString(top.resolve("a.txt"), "first");
        Archive archive = pack();
        Files.writeString(file, "other");
        var problem = assertThrows(IOException.class, () -> written(archive));
        assertTrue(Packer.isChange(problem));
        assertTrue(problem.getMessage().contains("a.txt changed"), problem.getMessage());
    }
}
