package fairlead.control;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What waits for the controller. Any thread may offer; only the loop drains. */
public final class Inbox {
    /** Enough for seconds of traffic; beyond that senders are told to come back. */
    private static final int CAPACITY = 10_000;

    /** Keeps one tick short, so that nobody waits long for its commit. */
    private static final int BATCH_MAX = 1_000;

    private final LinkedBlockingQueue<Message> waiting = new LinkedBlockingQueue<>(CAPACITY);

    /** False means full: nothing was taken, and the sender must retry or give up. */
    public boolean offer(Message message) {
        return waiting.offer(message);
    }

    /** Blocks until something waits or the time is over. */
    public List<Message> await(Duration patience) throws InterruptedException {
        Message first = waiting.poll(Math.max(0, patience.toNanos()), TimeUnit.NANOSECONDS);
        if (first == null) return List.of();
        var batch = new ArrayList<Message>();
        batch.add(first);
        waiting.drainTo(batch, BATCH_MAX - 1);
        return batch;
    }

    public int size() {
        return waiting.size();
    }
}
