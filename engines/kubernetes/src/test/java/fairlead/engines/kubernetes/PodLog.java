package fairlead.engines.kubernetes;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a container has written, with the time of each line, as a file. Any thread. A real kubelet
 * begins a new file at 10 MiB and keeps a few; this one keeps all.
 */
final class PodLog {
    private static final int PIECE_BYTES = 64 << 10;

    private final Path file;
    private final List<Line> lines = new ArrayList<>();
    private long length;
    private boolean lineEnded = true;
    private boolean ended;

    private record Line(long offset, Instant at) {}

    /**
     * What of a log is wanted.
     *
     * @param timestamps puts its time before each line
     */
    record Wish(
            boolean follow,
            Optional<Integer> tailLines,
            Optional<Instant> since,
            boolean timestamps) {}

    PodLog(Path file) {
        this.file = file;
    }

    synchronized void append(byte[] bytes, int count) {
        try (var out = new RandomAccessFile(file.toFile(), "rw")) {
            out.seek(length);
            out.write(bytes, 0, count);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the log of a pod", e);
        }
        Instant now = Instant.now();
        for (int i = 0; i < count; i++) {
            if (lineEnded) lines.add(new Line(length + i, now));
            lineEnded = bytes[i] == '\n';
        }
        length += count;
        notifyAll();
    }

    synchronized void end() {
        ended = true;
        notifyAll();
    }

    synchronized long length() {
        return length;
    }

    /** Writes what is wanted, and with follow what comes, until the container has ended. */
    void copy(Wish wish, OutputStream out) throws IOException, InterruptedException {
        copy(begin(wish), wish.follow(), wish.timestamps(), out);
    }

    void copy(long from, boolean follow, boolean timestamps, OutputStream out)
            throws IOException, InterruptedException {
        long at = from;
        while (true) {
            long to = await(at, follow);
            if (to == at) return;
            if (timestamps) copyLines(at, to, out);
            else copyBytes(at, to, out);
            out.flush();
            at = to;
        }
    }

    private synchronized long begin(Wish wish) {
        int first = 0;
        if (wish.since().isPresent()) {
            Instant since = wish.since().get();
            while (first < lines.size() && lines.get(first).at().isBefore(since)) first++;
        }
        if (wish.tailLines().isPresent()) {
            first = Math.max(first, lines.size() - wish.tailLines().get());
        }
        return first < lines.size() ? lines.get(first).offset() : length;
    }

    /** How far one can read now; the same place when no more will come. */
    private synchronized long await(long at, boolean follow) throws InterruptedException {
        while (follow && length == at && !ended) wait();
        return Math.min(length, at + PIECE_BYTES);
    }

    private void copyBytes(long from, long to, OutputStream out) throws IOException {
        try (var in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(from);
            byte[] piece = new byte[(int) (to - from)];
            in.readFully(piece);
            out.write(piece);
        }
    }

    private void copyLines(long from, long to, OutputStream out) throws IOException {
        List<Line> starts;
        synchronized (this) {
            starts =
                    lines.stream()
                            .filter(line -> line.offset() >= from && line.offset() < to)
                            .toList();
        }
        long at = from;
        for (Line line : starts) {
            copyBytes(at, line.offset(), out);
            out.write((line.at() + " ").getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            at = line.offset();
        }
        copyBytes(at, to, out);
    }
}
