package fairlead.storage.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.storage.Address;
import fairlead.storage.Progress;
import fairlead.storage.StorageException;
import fairlead.storage.Transfer;
import fairlead.testing.Root;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A disk that is too small: a file system in memory, which only root can mount. */
class FullDiskTest {
    private static final long DISK_BYTES = 4L << 20;

    @TempDir Path disk;
    @TempDir Path roomy;
    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        Root.neededToMount();
        String size = "size=" + DISK_BYTES;
        String problem = output("mount", "-t", "tmpfs", "-o", size, "none", disk.toString());
        assertEquals("", problem);
        mounted = true;
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) assertEquals("", output("umount", disk.toString()));
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    @Test
    void anUploadToAFullDiskSaysSoAndLeavesTheOldFile() throws Exception {
        Path large = large(roomy);
        Files.writeString(disk.resolve("file"), "old");
        Address root = Address.of("file:" + disk);
        try (var storage = FileStorage.open(root)) {
            var transfer = new Transfer(storage, Progress.NONE);
            assertFull(() -> transfer.upload(large, root.child("file")));
            assertEquals("old", Files.readString(disk.resolve("file")));
            assertEquals(List.of("file"), names(disk));
        }
    }

    @Test
    void aDownloadAndACopyToAFullDiskSaySoAndLeaveNothing() throws Exception {
        large(roomy);
        Address root = Address.of("file:" + roomy);
        Files.write(disk.resolve("half"), new byte[(int) (DISK_BYTES * 3 / 4)]);
        try (var storage = FileStorage.open(root);
                var small = FileStorage.open(Address.of("file:" + disk))) {
            var transfer = new Transfer(storage, Progress.NONE);
            assertFull(() -> transfer.download(root.child("large"), disk.resolve("large")));
            Address half = small.root().child("half");
            assertFull(() -> small.copy(half, small.root().child("copy")));
            assertEquals(List.of("half"), names(disk));
        }
    }

    private static Path large(Path folder) throws IOException {
        return Files.write(folder.resolve("large"), new byte[(int) DISK_BYTES * 2]);
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void assertFull(Work work) {
        var problem = assertThrows(StorageException.class, work::run);
        assertTrue(problem.getMessage().contains("No space left"), problem.getMessage());
    }
}
