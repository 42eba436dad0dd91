package fairlead.engines.yarn;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.remote.TaskLogFiles;
import fairlead.engines.yarn.relay.Call;
import fairlead.engines.yarn.relay.TaskEnd;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Copies one task's log to files while the task runs, on a thread of its own. A broken stream is
 * taken up where it broke. Whoever waits learns when everything is there, or as much as can be had.
 */
final class LogFollower {
    /** Where the log can be had from now. */
    interface Source {
        /**
         * Opens it at an offset; the first eight bytes say where it really begins.
         *
         * @throws IOException when nobody gives it now
         */
        Call open(long offset) throws IOException;
    }

    private static final int BUFFER_BYTES = 32 << 10;
    private static final Duration RETRY_FIRST = Duration.ofMillis(50);
    private static final Duration RETRY_MAX = Duration.ofSeconds(2);

    /** After the end of the task its log comes at once, or not from there. */
    private static final Duration END_PATIENCE = Duration.ofSeconds(10);

    private final Source source;
    private final TaskLogFiles log;
    private final long bytesMax;
    private final Runnable whenDone;
    private final Thread thread;

    /** Bytes of our own lines, which are not the task's; only the writing thread counts them. */
    private long notes;

    private volatile TaskEnd end;
    private volatile boolean isStopped;
    private volatile boolean isDone;
    private Call call;

    LogFollower(String name, Source source, TaskLogFiles log, long bytesMax, Runnable whenDone)
            throws IOException {
        this.source = source;
        this.log = log;
        this.bytesMax = bytesMax;
        this.whenDone = whenDone;
        this.notes = notes(log);
        this.thread = Thread.ofVirtual().name("log of " + name).unstarted(this::run);
    }

    private static long notes(TaskLogFiles log) throws IOException {
        String text = log.place();
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    void start() {
        thread.start();
    }

    /** The task has ended: what it has written is all there will be. */
    void taskEnded(TaskEnd how) {
        end = how;
        LockSupport.unpark(thread);
    }

    boolean isDone() {
        return isDone;
    }

    /** Writes nothing more from now on. */
    void stop() {
        synchronized (this) {
            isStopped = true;
            if (call != null) call.close();
        }
        LockSupport.unpark(thread);
    }

    private long copied() throws IOException {
        return log.end() - notes;
    }

    private void run() {
        Duration wait = RETRY_FIRST;
        long endedNanos = 0;
        while (!isStopped) {
            long before = 0;
            try {
                before = copied();
                if (isWhole()) break;
                copy();
                if (copied() > before) wait = RETRY_FIRST;
                if (isWhole()) break;
            } catch (IOException _) {
                // The task, its master or the way to them is gone; the next try may find another.
            }
            if (end != null) {
                if (endedNanos == 0) endedNanos = System.nanoTime();
                if (System.nanoTime() - endedNanos > END_PATIENCE.toNanos()) break;
            }
            LockSupport.parkNanos(wait.toNanos());
            wait = wait.multipliedBy(2).compareTo(RETRY_MAX) < 0 ? wait.multipliedBy(2) : RETRY_MAX;
        }
        isDone = true;
        if (!isStopped) whenDone.run();
    }

    boolean isWhole() throws IOException {
        TaskEnd ended = end;
        return ended != null && ended.logBytes() >= 0 && copied() >= ended.logBytes();
    }

    private void copy() throws IOException {
        Call opened = source.open(copied());
        synchronized (this) {
            if (isStopped) {
                opened.close();
                return;
            }
            call = opened;
        }
        try (opened) {
            if (append(opened.in(), opened.in().readLong())) taken(opened);
        }
    }

    /** Tells a keeper that everything it has sent is here. */
    static void taken(Call call) throws IOException {
        call.out().writeByte(1);
        call.out().flush();
    }

    /** Adds what the stream has beyond what is there already; answers whether all of it is here. */
    boolean append(InputStream in, long start) throws IOException {
        if (start > copied()) {
            gap(start - copied());
        } else {
            in.skipNBytes(copied() - start);
        }
        var buffer = new byte[BUFFER_BYTES];
        int length = in.read(buffer);
        while (length >= 0) {
            synchronized (this) {
                if (isStopped) return false;
                log.append(buffer, length, bytesMax);
            }
            length = in.read(buffer);
        }
        return true;
    }

    private void gap(long bytes) throws IOException {
        note("fairlead: %d bytes are missing here; YARN's own logs may have them".formatted(bytes));
        synchronized (this) {
            // They count as copied.
            notes -= bytes;
            log.place(Long.toString(notes));
        }
    }

    private synchronized void note(String line) throws IOException {
        byte[] bytes = (line + "\n").getBytes(UTF_8);
        if (isStopped) return;
        log.append(bytes, bytes.length, bytesMax);
        notes += bytes.length;
        log.place(Long.toString(notes));
    }
}
