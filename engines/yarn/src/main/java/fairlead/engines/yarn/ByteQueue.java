package fairlead.engines.yarn;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Pieces on their way from one thread to another, which reads them as a stream. It holds a few. */
final class ByteQueue extends InputStream {
    /** Whoever writes waits for whoever reads. */
    private static final int PIECES_MAX = 16;

    private static final byte[] END = new byte[0];

    private final BlockingQueue<byte[]> pieces = new ArrayBlockingQueue<>(PIECES_MAX);
    private byte[] piece = END;
    private int at;
    private boolean isEnded;
    private volatile boolean isClosed;

    void put(byte[] bytes) throws InterruptedException {
        if (bytes.length == 0) return;
        if (!isClosed) pieces.put(bytes);
        // Nobody reads any more.
        if (isClosed) pieces.clear();
    }

    void end() throws InterruptedException {
        if (!isClosed) pieces.put(END);
    }

    private boolean hasMore() throws IOException {
        try {
            while (!isEnded && at == piece.length) {
                piece = pieces.take();
                at = 0;
                isEnded = piece == END;
            }
            return !isEnded;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    @Override
    public int read() throws IOException {
        return hasMore() ? piece[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) return 0;
        if (!hasMore()) return -1;
        int count = Math.min(length, piece.length - at);
        System.arraycopy(piece, at, bytes, offset, count);
        at += count;
        return count;
    }

    @Override
    public int available() {
        return piece.length - at;
    }

    @Override
    public void close() {
        isClosed = true;
        pieces.clear();
        pieces.add(END);
    }
}
