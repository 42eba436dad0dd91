package fairlead.engine.remote;

import fairlead.engine.OwnerOnly;
import fairlead.engine.TaskLog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * A task's log as a folder of files, each named by the offset of its first byte, so that the oldest
 * can be dropped whole. A log that does not exist is empty. One thread writes, any may read.
 */
public record TaskLogFiles(Path folder) implements TaskLog {
    private static final String SUFFIX = ".log";

    /** A full log has this many files, so it exceeds its bound by less than one of them. */
    private static final int FILES = 8;

    private static final int OFFSET_DIGITS = 19;

    @Override
    public long start() throws IOException {
        var files = files();
        return files.isEmpty() ? 0 : files.firstKey();
    }

    @Override
    public long end() throws IOException {
        var files = files();
        if (files.isEmpty()) return 0;
        try {
            return files.lastKey() + Files.size(files.lastEntry().getValue());
        } catch (NoSuchFileException _) {
            // Dropped meanwhile, with the whole log.
            return 0;
        }
    }

    @Override
    public byte[] read(long offset, int bytesMax) throws IOException {
        var files = files();
        if (files.floorEntry(offset) == null) return new byte[0];
        var buffer = ByteBuffer.allocate(Math.clamp(end() - offset, 0, bytesMax));
        while (buffer.hasRemaining()) {
            long at = offset + buffer.position();
            var file = files.floorEntry(at);
            try (var channel = FileChannel.open(file.getValue(), StandardOpenOption.READ)) {
                if (channel.read(buffer, at - file.getKey()) <= 0) break;
            } catch (NoSuchFileException _) {
                break;
            }
        }
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    /** Adds to the end, and drops the oldest files when there is more than the bound. */
    public void append(byte[] bytes, int length, long bytesMax) throws IOException {
        if (length == 0) return;
        OwnerOnly.makeFolder(folder);
        var files = files();
        long end = end();
        boolean isFull = files.isEmpty() || end - files.lastKey() >= bytesMax / FILES;
        Path file = isFull ? file(end) : files.lastEntry().getValue();
        try (var channel = OwnerOnly.open(file, StandardOpenOption.APPEND)) {
            var rest = ByteBuffer.wrap(bytes, 0, length);
            while (rest.hasRemaining()) channel.write(rest);
        }
        if (!isFull) return;
        while (files.size() > 1 && end + length - files.higherKey(files.firstKey()) >= bytesMax) {
            Files.deleteIfExists(files.pollFirstEntry().getValue());
        }
    }

    /** How far the cluster's own log was copied; empty when nobody has said. */
    public String place() throws IOException {
        try {
            return Files.readString(folder.resolve("place"));
        } catch (NoSuchFileException _) {
            return "";
        }
    }

    public void place(String text) throws IOException {
        OwnerOnly.makeFolder(folder);
        OwnerOnly.replace(folder.resolve("place"), text);
    }

    private Path file(long offset) {
        return folder.resolve(("%0" + OFFSET_DIGITS + "d").formatted(offset) + SUFFIX);
    }

    private TreeMap<Long, Path> files() throws IOException {
        var found = new TreeMap<Long, Path>();
        try (var all = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : all) {
                String name = file.getFileName().toString();
                found.put(Long.parseLong(name.substring(0, name.length() - SUFFIX.length())), file);
            }
        } catch (NoSuchFileException _) {
            return found;
        }
        return found;
    }
}
