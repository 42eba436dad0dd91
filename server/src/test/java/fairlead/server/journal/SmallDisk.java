package fairlead.server.journal;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A real file system of a few pages' size, so that a full disk is a full disk. Needs root. */
final class SmallDisk implements AutoCloseable {
    private static final String FILLER = "filler";
    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Mounts one below this folder, or skips the test where that is not allowed. */
    static SmallDisk mount(Path parent, int kibibytes) throws IOException {
        Path folder = Files.createDirectory(parent.resolve("disk"));
        String size = "size=" + kibibytes + "k";
        boolean mounted = run("mount", "-t", "tmpfs", "-o", size, "tmpfs", folder.toString());
        assumeTrue(mounted, "a full or read-only disk needs a mount, and mounting needs root");
        return new SmallDisk(folder);
    }

    Path folder() {
        return folder;
    }

    /** Leaves no byte for anyone else. */
    void fill() throws IOException {
        byte[] page = new byte[4_096];
        Arrays.fill(page, (byte) 1);
        try (var stream = Files.newOutputStream(folder.resolve(FILLER))) {
            while (true) stream.write(page);
        } catch (IOException _) {
            // Now it is full.
        }
    }

    void free() throws IOException {
        Files.delete(folder.resolve(FILLER));
    }

    void makeReadOnly() throws IOException {
        if (!run("mount", "-o", "remount,ro", folder.toString())) {
            throw new IOException("cannot make it read-only: " + folder);
        }
    }

    /** Whether the command is there and succeeds. */
    static boolean run(String... command) throws IOException {
        Process process;
        try {
            process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
        } catch (IOException _) {
            return false;
        }
        try {
            return process.waitFor() == 0;
        } catch (InterruptedException e) {
            throw new IOException("interrupted during " + String.join(" ", command), e);
        }
    }

    @Override
    public void close() throws IOException {
        if (!run("umount", folder.toString())) throw new IOException("still mounted: " + folder);
    }
}
