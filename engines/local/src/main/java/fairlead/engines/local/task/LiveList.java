package fairlead.engines.local.task;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.EngineException;
import fairlead.engine.OwnerOnly;
import fairlead.job.AttemptId;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which attempts are launched and not forgotten, in one file that grows by a line for each change,
 * so that a start-up reads only what is live, however many jobs there were. One file for all,
 * because a file for each attempt, made and deleted, costs ext4 more than everything else here: it
 * does not use the inode of a deleted file again for minutes, but stumbles over all of them to make
 * a new one.
 *
 * <p>Safe against the end of the process, which is all it needs: an attempt does not outlive the
 * end of the machine. Safe for all threads.
 */
public final class LiveList implements Closeable {
    private static final String FIRST_LINE = "fairlead live 1";
    private static final String ADDED = "+ ";
    private static final String REMOVED = "- ";

    /** Some twenty thousand jobs; then the file is written anew with what is still live. */
    private static final long BYTES_MAX = 4L << 20;

    private final Path file;
    private final Map<String, Manifest> live = new LinkedHashMap<>();
    private FileChannel channel;
    private long bytes;
    private long bytesLimit;

    public LiveList(Path file) throws IOException, EngineException {
        this.file = file;
        if (Files.exists(file)) read();
        rewrite();
    }

    private void read() throws IOException, EngineException {
        String text = Files.readString(file);
        // What follows the last newline was cut short by a crash, so nobody has acted on it.
        List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        if (!lines.isEmpty() && !lines.getFirst().equals(FIRST_LINE)) {
            throw new EngineException(
                    file + " was written by another version: " + lines.getFirst());
        }
        for (String line : lines) {
            if (line.startsWith(ADDED)) {
                Manifest.parse(line.substring(ADDED.length()))
                        .ifPresent(manifest -> live.put(manifest.attempt().toString(), manifest));
            } else if (line.startsWith(REMOVED)) {
                live.remove(line.substring(REMOVED.length()));
            }
        }
    }

    public synchronized List<Manifest> all() {
        return List.copyOf(live.values());
    }

    /** Returns when a restarted server would know the attempt. */
    public synchronized void add(Manifest manifest) throws IOException {
        append(ADDED + manifest.line() + "\n");
        live.put(manifest.attempt().toString(), manifest);
    }

    public synchronized void remove(AttemptId attempt) throws IOException {
        if (!live.containsKey(attempt.toString())) return;
        append(REMOVED + attempt + "\n");
        live.remove(attempt.toString());
        if (bytes > bytesLimit) rewrite();
    }

    private void append(String line) throws IOException {
        var buffer = ByteBuffer.wrap(line.getBytes(UTF_8));
        try {
            while (buffer.hasRemaining()) channel.write(buffer, bytes + buffer.position());
        } catch (IOException problem) {
            // Half a line must not become a part of the next one.
            channel.truncate(bytes);
            throw problem;
        }
        bytes += buffer.limit();
    }

    private void rewrite() throws IOException {
        var text = new StringBuilder(FIRST_LINE).append('\n');
        for (Manifest manifest : live.values()) {
            text.append(ADDED).append(manifest.line()).append('\n');
        }
        OwnerOnly.replace(file, text.toString());
        if (channel != null) channel.close();
        channel = FileChannel.open(file, StandardOpenOption.WRITE);
        bytes = channel.size();
        bytesLimit = bytes + BYTES_MAX;
    }

    @Override
    public synchronized void close() throws IOException {
        channel.close();
    }
}
