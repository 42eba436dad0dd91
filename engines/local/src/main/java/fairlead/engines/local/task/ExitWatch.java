package fairlead.engines.local.task;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import fairlead.engine.EngineException;
import fairlead.engines.local.linux.Libc;

import java.io.Closeable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Notices the end of processes, our children or not, within a moment and without polling: an epoll
 * set of pidfds. One thread waits; all others may call the rest.
 */
public final class ExitWatch implements Closeable {
    /**
     * One process under watch. The pidfd stays open, and so names this very process, until
     * released.
     */
    public record Watched(long key, int pid, int pidfd, LiveTask task) {}

    private static final int EPOLLIN = 1;
    private static final int EVENTS_MAX = 256;
    private static final long WAKE_UP = 0;

    /** The kernel packs struct epoll_event on x86-64 alone. */
    private static final boolean PACKED = System.getProperty("os.arch").equals("amd64");

    private static final long EVENT_BYTES = PACKED ? 12 : 16;
    private static final long KEY_OFFSET = PACKED ? 4 : 8;

    private final Map<Long, Watched> watched = new ConcurrentHashMap<>();
    private final AtomicLong keys = new AtomicLong(WAKE_UP);
    private final Arena arena = Arena.ofShared();
    private final MemorySegment events = arena.allocate(EVENT_BYTES * EVENTS_MAX, 8);
    private final int epoll;
    private final int wakeUp;
    private boolean closed;

    public ExitWatch() throws EngineException {
        epoll = must(Libc.epollCreate(), "epoll_create1");
        wakeUp = must(Libc.eventfd(), "eventfd");
        must(add(wakeUp, WAKE_UP), "epoll_ctl");
        int probe = Libc.pidfdOpen((int) ProcessHandle.current().pid());
        if (probe < 0) {
            throw new EngineException(
                    "the local engine needs Linux 5.3 or newer: pidfd_open: "
                            + Libc.errorText(-probe));
        }
        Libc.close(probe);
    }

    private static int must(int answer, String function) throws EngineException {
        if (answer < 0) throw new EngineException(function + ": " + Libc.errorText(-answer));
        return answer;
    }

    /** Null when there is no such process, or no file descriptor is left to watch it with. */
    synchronized Watched watch(int pid, LiveTask task) {
        if (closed) return null;
        int pidfd = Libc.pidfdOpen(pid);
        if (pidfd < 0) return null;
        var entry = new Watched(keys.incrementAndGet(), pid, pidfd, task);
        watched.put(entry.key(), entry);
        if (add(pidfd, entry.key()) < 0) {
            watched.remove(entry.key());
            Libc.close(pidfd);
            return null;
        }
        return entry;
    }

    synchronized void release(Watched entry) {
        if (closed || watched.remove(entry.key()) == null) return;
        Libc.epollControl(epoll, Libc.EPOLL_CTL_DEL, entry.pidfd(), MemorySegment.NULL);
        Libc.close(entry.pidfd());
    }

    private int add(int fd, long key) {
        try (var scratch = Arena.ofConfined()) {
            var event = scratch.allocate(EVENT_BYTES, 8);
            event.set(JAVA_INT, 0, EPOLLIN);
            event.set(JAVA_LONG_UNALIGNED, KEY_OFFSET, key);
            return Libc.epollControl(epoll, Libc.EPOLL_CTL_ADD, fd, event);
        }
    }

    /**
     * Waits for ended processes; none after the timeout or a wake-up. Each is returned until
     * released.
     */
    List<Watched> await(Duration timeout) {
        int count = Libc.epollWait(epoll, events, EVENTS_MAX, (int) timeout.toMillis());
        var ended = new ArrayList<Watched>();
        for (int i = 0; i < count; i++) {
            long key = events.get(JAVA_LONG_UNALIGNED, i * EVENT_BYTES + KEY_OFFSET);
            if (key == WAKE_UP) Libc.eventfdClear(wakeUp);
            var entry = watched.get(key);
            if (entry != null) ended.add(entry);
        }
        return ended;
    }

    synchronized void wake() {
        if (!closed) Libc.eventfdSignal(wakeUp);
    }

    /** Only after the waiting thread has ended. */
    @Override
    public synchronized void close() {
        if (closed) return;
        closed = true;
        for (var entry : watched.values()) Libc.close(entry.pidfd());
        Libc.close(epoll);
        Libc.close(wakeUp);
        arena.close();
    }
}
