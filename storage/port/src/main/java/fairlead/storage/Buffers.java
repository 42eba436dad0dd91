package fairlead.storage;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The memory that all large downloads of a transfer share: so many buffers, made when needed. */
final class Buffers {
    /** They keep a fast line busy, and fit a JVM of 256 MiB beside all else. */
    static final int COUNT = 6;

    private final BlockingQueue<byte[]> free = new ArrayBlockingQueue<>(COUNT);
    private final AtomicInteger made = new AtomicInteger();

    /** Waits for one where all are taken. */
    byte[] take() throws InterruptedException {
        byte[] buffer = free.poll();
        if (buffer != null) return buffer;
        if (made.getAndUpdate(count -> Math.min(COUNT, count + 1)) < COUNT)
            return new byte[Transfer.PIECE_BYTES];
        return free.take();
    }

    void give(byte[] buffer) {
        free.add(buffer);
    }
}
