package fairlead.storage;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * One large file on its way to this machine, by several reads at once. What came is put in order
 * into a part file beside the final place; the part's name has the version, so another try goes on
 * where this one ended, and never with bytes of another version. The part is checked again before
 * it is continued, and becomes the file when all of it was right.
 */
final class LargeDownload {
    /** So much of each read that is under way may be lost; less would cost more in calls. */
    private static final int PIECE_BYTES_LEAST = 256 << 10;

    private final Address from;
    private final Content content;
    private final Path to;
    private final Progress progress;
    private final Buffers buffers;
    private Verifier verifier;
    private FileChannel out;
    private long asked;
    private long written;

    LargeDownload(Address from, Content content, Path to, Progress progress, Buffers buffers) {
        this.from = from;
        this.content = content;
        this.to = to;
        this.progress = progress;
        this.buffers = buffers;
    }

    void run() throws StorageException {
        Path part = to.resolveSibling(partName(to) + hash(content.version()));
        try {
            removeOthers(part);
            try (var opened =
                    FileChannel.open(
                            part,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE)) {
                out = opened;
                lock(part);
                resume();
                if (written < content.bytes()) read();
                verify();
            }
            Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException problem) {
            throw Ended.failed(from + " was not brought to " + to, problem);
        }
    }

    /** The same for every version of what is to be this file. */
    private static String partName(Path file) {
        return Storage.PART_PREFIX + hash(file.getFileName().toString()) + "-";
    }

    private static String hash(String text) {
        var code = new CRC32C();
        code.update(text.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(code.getValue()) + Integer.toHexString(text.hashCode());
    }

    /** What was begun of other versions will never be continued. */
    private void removeOthers(Path part) throws IOException {
        Path folder = to.toAbsolutePath().getParent();
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder, partName(to) + "*")) {
            for (Path other : parts) {
                if (!other.getFileName().equals(part.getFileName())) Files.deleteIfExists(other);
            }
        }
    }

    private void lock(Path part) throws IOException, StorageException {
        try {
            // The lock goes with the channel.
            FileLock lock = out.tryLock();
            if (lock != null) return;
        } catch (OverlappingFileLockException _) {
            // This program is the other.
        }
        throw new StorageException(
                "%s is being brought to %s already (%s)".formatted(from, to, part.getFileName()));
    }

    /** Keeps what an earlier try has left, as far as it is right. */
    private void resume() throws IOException, StorageException {
        verifier = new Verifier(from, content);
        boolean isRight = passes(Math.min(out.size(), content.bytes()));
        // The beginning of a part is compared when the rest of it is here.
        written = isRight ? verifier.seen() : verifier.backToGood();
        asked = written;
        out.truncate(written);
        if (written > 0) progress.skipped(from, written);
    }

    /** Shows the verifier the part file up to an offset, or to what is wrong in it. */
    private boolean passes(long end) throws IOException, StorageException {
        var buffer = new byte[Transfer.BUFFER_BYTES];
        for (long at = 0; at < end; ) {
            Ended.ifInterrupted(from);
            int length = (int) Math.min(buffer.length, end - at);
            int count = out.read(ByteBuffer.wrap(buffer, 0, length), at);
            if (count < 0 || !verifier.matches(buffer, 0, count)) return false;
            at += count;
        }
        return true;
    }

    private void read() throws StorageException {
        long left = content.bytes() - written;
        try (var reads = new Parallel(Buffers.COUNT)) {
            for (int i = 0; i < Buffers.COUNT && (long) i * PIECE_BYTES_LEAST < left; i++)
                reads.start(this::readSome);
            reads.finish();
        }
    }

    /** Also what an earlier try has left whole: that one may have ended before it came here. */
    private void verify() throws StorageException {
        try {
            verifier.end();
        } catch (StorageException damaged) {
            forget(0);
            throw damaged;
        }
    }

    /** An offset is taken after a buffer: so the first that is missing always has one. */
    private void readSome() throws StorageException {
        boolean isMore = true;
        while (isMore) {
            byte[] buffer;
            try {
                buffer = buffers.take();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new StorageException("interrupted at " + from);
            }
            try {
                isMore = readNext(buffer);
            } finally {
                buffers.give(buffer);
            }
        }
    }

    private boolean readNext(byte[] buffer) throws StorageException {
        long offset = next();
        if (offset >= content.bytes()) return false;
        int length = (int) Math.min(pieceAt(offset), content.bytes() - offset);
        try (InputStream in = content.read(offset, length)) {
            int done = 0;
            for (int at = 0; at < length; ) {
                at += readStep(buffer, at, length, in);
                // Whoever is first in the file does not wait for its piece to be whole.
                if (at < length && !isTurnOf(offset + done)) continue;
                put(offset + done, buffer, done, at);
                done = at;
            }
            return true;
        } catch (IOException problem) {
            throw Ended.failed(from + " was not brought to " + to, problem);
        }
    }

    private synchronized long next() {
        long offset = asked;
        asked += pieceAt(offset);
        return offset;
    }

    /**
     * Small ones at first, and then an eighth of what came before: only whole pieces are kept when
     * this ends early, and so most of what has travelled is.
     */
    private static int pieceAt(long offset) {
        long eighth = Math.max(PIECE_BYTES_LEAST, offset / 8);
        return (int) Math.min(Transfer.PIECE_BYTES, eighth);
    }

    private int readStep(byte[] buffer, int at, int end, InputStream in)
            throws IOException, StorageException {
        int count = in.read(buffer, at, Math.min(Transfer.BUFFER_BYTES, end - at));
        if (count < 0) throw new EOFException("it ended too early");
        Ended.ifInterrupted(from);
        progress.moved(from, count);
        return count;
    }

    private synchronized boolean isTurnOf(long offset) {
        return written == offset;
    }

    /**
     * Puts what is between two places of the buffer into the file. Waits for its turn, so that the
     * part file never has a hole.
     */
    private synchronized void put(long offset, byte[] buffer, int begin, int end)
            throws IOException, StorageException {
        try {
            while (written < offset) wait();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new StorageException("interrupted at " + from);
        }
        // In small steps: what was just compared is still near the processor, and the JDK keeps a
        // copy outside of the heap for the largest.
        for (int at = begin; at < end; ) {
            int step = Math.min(Transfer.BUFFER_BYTES, end - at);
            compare(buffer, at, step);
            ByteBuffer rest = ByteBuffer.wrap(buffer, at, step);
            while (rest.hasRemaining()) written += out.write(rest, written);
            at += step;
        }
        notifyAll();
    }

    /** What an earlier try has left of a damaged part goes, too: it may be what is wrong. */
    private void compare(byte[] buffer, int at, int length) throws StorageException {
        try {
            verifier.update(buffer, at, length);
        } catch (StorageException damaged) {
            forget(verifier.backToGood());
            throw damaged;
        }
    }

    private void forget(long keep) throws StorageException {
        try {
            out.truncate(keep);
        } catch (IOException problem) {
            throw Ended.failed(from + " was not brought to " + to, problem);
        }
    }
}
