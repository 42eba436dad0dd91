package fairlead.engines.local.task;

import fairlead.engine.OwnerOnly;
import fairlead.engine.TaskLog;
import fairlead.engines.local.linux.Libc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A task's log in a file that the task itself appends to. The oldest part is dropped by punching a
 * hole: the file's length and all offsets stay, and nothing written meanwhile is lost. The first
 * kept offset stands in a file beside it. A log that does not exist is empty.
 */
public record LogFile(Path path) implements TaskLog {
    /** Holes begin and end at blocks; no common file system has larger ones. */
    public static final long BLOCK_BYTES = 4_096;

    @Override
    public long start() throws IOException {
        try {
            return Long.parseLong(Files.readString(startFile()).strip());
        } catch (NoSuchFileException _) {
            return 0;
        }
    }

    @Override
    public long end() throws IOException {
        try {
            return Files.size(path);
        } catch (NoSuchFileException _) {
            return 0;
        }
    }

    @Override
    public byte[] read(long offset, int bytesMax) throws IOException {
        var buffer = ByteBuffer.allocate((int) Math.max(0, Math.min(bytesMax, end() - offset)));
        if (!buffer.hasRemaining()) return new byte[0];
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            while (buffer.hasRemaining()) {
                if (channel.read(buffer, offset + buffer.position()) < 0) break;
            }
        } catch (NoSuchFileException _) {
            return new byte[0];
        }
        // After the read: a part dropped while we read it would come as zeros.
        return offset < start() ? new byte[0] : Arrays.copyOf(buffer.array(), buffer.position());
    }

    /** Adds a line of our own, on a line of its own. A log that does not exist is not made. */
    public void append(String line) throws IOException {
        long end = end();
        byte[] last = end == 0 ? new byte[] {'\n'} : read(end - 1, 1);
        String text = (last.length == 1 && last[0] != '\n' ? "\n" : "") + line + "\n";
        try (var channel =
                FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchFileException _) {
            return;
        }
    }

    /** Drops what exceeds the bound, to the last whole block. */
    void trim(long bytesMax) throws IOException {
        long end = end();
        if (end <= bytesMax) return;
        long start = (end - bytesMax) / BLOCK_BYTES * BLOCK_BYTES;
        if (start <= start()) return;
        // The new start first: a reader then never takes the hole for text.
        OwnerOnly.replace(startFile(), start + "\n");
        int answer = Libc.punchHole(path.toString(), start);
        if (answer < 0) throw new IOException(path + ": fallocate: " + Libc.errorText(-answer));
    }

    private Path startFile() {
        return path.resolveSibling(path.getFileName() + ".start");
    }

    /** Whether files in this folder can have holes. */
    public static boolean canTrim(Path folder) throws IOException {
        Path probe = Files.createTempFile(folder, "hole", "");
        try {
            Files.write(probe, new byte[(int) (2 * BLOCK_BYTES)]);
            return Libc.punchHole(probe.toString(), BLOCK_BYTES) >= 0;
        } finally {
            Files.delete(probe);
        }
    }
}
