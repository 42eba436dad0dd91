package fairlead.cli.act.assets;

import fairlead.dialects.act.log.RankTag;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;

/**
 * The log of one task on its way into files: lines with a rank's tag go to that rank's file without
 * it, all others to the task's own. An unfinished line is written as far as it is known, unless it
 * may still turn out to begin with a tag; that beginning is left for the next time.
 */
final class RankFiles extends OutputStream {
    /** So many a node with room for many processes has; further ranks stay in the task's file. */
    private static final int FILES_MAX = 1_024;

    private final Path folder;
    private final String plain;
    private final boolean hasRanks;
    private final ConcurrentMap<String, String> claims;
    private final Map<String, OutputStream> files = new HashMap<>();
    private final Map<String, Long> sizes = new HashMap<>();
    private final byte[] held = new byte[RankTag.BYTES_MAX];
    private int heldBytes;
    private int open;

    /**
     * @param plain the file for lines without a tag
     * @param hasRanks whether tags are looked for
     * @param claims which task a file belongs to, by that task's own file; the first that asks
     */
    RankFiles(
            Path folder,
            String plain,
            boolean hasRanks,
            ConcurrentMap<String, String> claims,
            TaskPart before)
            throws IOException {
        this.folder = folder;
        this.claims = claims;
        this.plain = plain;
        this.hasRanks = hasRanks;
        this.open = before.open();
        for (var file : before.files().entrySet()) {
            sizes.put(file.getKey(), file.getValue());
            claims.put(file.getKey(), plain);
            cut(folder.resolve(file.getKey()), file.getValue());
        }
    }

    /** Whether all that was fetched before is still there. */
    static boolean has(Path folder, TaskPart part) throws IOException {
        for (var file : part.files().entrySet()) {
            Path path = folder.resolve(file.getKey());
            if (!Files.exists(path) || Files.size(path) < file.getValue()) return false;
        }
        return true;
    }

    private static void cut(Path file, long size) throws IOException {
        if (Files.size(file) == size) return;
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }

    static String rankFile(int rank) {
        return "70_driver_log_rank_" + rank + ".txt";
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int at = offset;
        int end = offset + length;
        while (at < end) {
            if (open == TaskPart.NONE && !hasRanks) open = TaskPart.PLAIN;
            if (open == TaskPart.NONE) {
                held[heldBytes++] = bytes[at++];
                decide();
                continue;
            }
            int line = at;
            while (line < end && bytes[line] != '\n') line++;
            if (line < end) line++;
            append(bytes, at, line);
            if (bytes[line - 1] == '\n') open = TaskPart.NONE;
            at = line;
        }
    }

    /** Writes what is held as soon as it is clear whose line it is. */
    private void decide() throws IOException {
        boolean isLine = held[heldBytes - 1] == '\n';
        if (!isLine && RankTag.mayBegin(held, 0, heldBytes)) return;
        Optional<RankTag> tag = RankTag.of(held, 0, heldBytes);
        boolean fits = tag.isPresent() && hasRoom(rankFile(tag.get().rank()));
        open = fits ? tag.get().rank() : TaskPart.PLAIN;
        int from = fits ? tag.get().bytes() : 0;
        if (from < heldBytes) append(held, from, heldBytes);
        heldBytes = 0;
        if (isLine) open = TaskPart.NONE;
    }

    private boolean hasRoom(String file) {
        if (sizes.containsKey(file)) return true;
        return sizes.size() < FILES_MAX && claims.putIfAbsent(file, plain) == null;
    }

    private void append(byte[] bytes, int from, int to) throws Unkept {
        try {
            write(bytes, from, to, open == TaskPart.PLAIN ? plain : rankFile(open));
        } catch (IOException e) {
            throw new Unkept(e);
        }
    }

    private void write(byte[] bytes, int from, int to, String name) throws IOException {
        OutputStream file = files.get(name);
        if (file == null) {
            // A file that nobody has recorded is what a call left that broke off.
            var mode =
                    sizes.containsKey(name)
                            ? StandardOpenOption.APPEND
                            : StandardOpenOption.TRUNCATE_EXISTING;
            file =
                    new BufferedOutputStream(
                            Files.newOutputStream(
                                    folder.resolve(name),
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.WRITE,
                                    mode));
            files.put(name, file);
        }
        file.write(bytes, from, to - from);
        sizes.merge(name, (long) to - from, Long::sum);
    }

    /**
     * Where the task stands now.
     *
     * @param end one past the last byte that was written here
     * @param isOver whether nothing follows, so that nothing need be held back
     */
    TaskPart done(long end, boolean isOver) throws IOException {
        if (isOver && heldBytes > 0) {
            open = TaskPart.PLAIN;
            append(held, 0, heldBytes);
            heldBytes = 0;
        }
        close();
        return new TaskPart(end - heldBytes, open, sizes);
    }

    @Override
    public void close() throws Unkept {
        try {
            for (OutputStream file : files.values()) file.close();
        } catch (IOException e) {
            throw new Unkept(e);
        }
        files.clear();
    }
}
