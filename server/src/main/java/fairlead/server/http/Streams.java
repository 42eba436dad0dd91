package fairlead.server.http;

import fairlead.api.ErrorCode;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The answers that go on for long: how many there are, and the end of those whose peer is stuck.
 */
public final class Streams {
    /** Each holds a connection, a thread and a buffer. */
    static final int OPEN_MAX = 1_024;

    /**
     * So many heartbeats: a peer that has taken nothing for so long is dead or asleep; it may come
     * back and resume.
     */
    private static final int STUCK_AFTER = 4;

    private final Set<Open> open = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Duration heartbeat;
    private final PersonLimits limits;
    private final Thread sweeper;

    /**
     * @param heartbeat the longest silence, after which a comment finds out whether the peer lives
     * @param limits of each person
     */
    public Streams(Duration heartbeat, PersonLimits limits) {
        this.heartbeat = heartbeat;
        this.limits = limits;
        this.sweeper = Thread.ofVirtual().name("stream-sweeper").unstarted(this::sweep);
    }

    public void start() {
        sweeper.start();
    }

    /** Tells every stream to end, and admits no more. */
    public void close() {
        closed.countDown();
    }

    public boolean isClosed() {
        return closed.getCount() == 0;
    }

    public Duration heartbeat() {
        return heartbeat;
    }

    public int count() {
        return open.size();
    }

    /** Takes a place for the answer to this call, whose thread it is that asks. */
    public Open open(Call call) {
        if (isClosed()) throw new Problem(ErrorCode.UNAVAILABLE, "the server is stopping");
        String person = call.caller().name();
        limits.open(person);
        var stream = new Open(Thread.currentThread(), person);
        open.add(stream);
        if (open.size() > OPEN_MAX) {
            stream.close();
            throw new Problem(
                    ErrorCode.BUSY, "more than " + OPEN_MAX + " streams are open; close some");
        }
        return stream;
    }

    private void sweep() {
        try {
            long stuckAfter = heartbeat.multipliedBy(STUCK_AFTER).toNanos();
            while (!closed.await(heartbeat.toMillis(), TimeUnit.MILLISECONDS)) {
                for (Open each : open) {
                    long since = each.writingSince;
                    boolean isStuck = since != 0 && System.nanoTime() - since > stuckAfter;
                    // An interrupt of a virtual thread in a socket's write closes the socket.
                    if (isStuck) each.thread.interrupt();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** One place. */
    public final class Open implements AutoCloseable {
        private final Thread thread;
        private final String person;
        private volatile long writingSince;

        private Open(Thread thread, String person) {
            this.thread = thread;
            this.person = person;
        }

        /** To be called before and after each write that may block. */
        public void writing(boolean begins) {
            writingSince = begins ? System.nanoTime() | 1 : 0;
        }

        @Override
        public void close() {
            if (open.remove(this)) limits.close(person);
        }
    }
}
