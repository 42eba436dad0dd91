package fairlead.engines.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.remote.TaskLogFiles;
import fairlead.engines.kubernetes.logs.LogPlace;
import fairlead.engines.kubernetes.logs.StampedLines;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Copies one pod's log to a file while the pod runs, on a thread of its own. A broken stream is
 * taken up where it broke: no byte is lost or comes twice, also over a restart. Whoever asks for
 * the end of the log learns when everything is there, or that it cannot be had.
 */
final class LogCopier {
    private static final Logger LOG = System.getLogger(LogCopier.class.getName());
    private static final int BUFFER_BYTES = 32 << 10;
    private static final Duration NOTE_PLACE_EVERY = Duration.ofSeconds(1);
    private static final Duration RETRY_FIRST = Duration.ofMillis(100);
    private static final Duration RETRY_MAX = Duration.ofSeconds(5);

    /** The stream ends a moment before the watch says that the container has. */
    private static final Duration END_TOLD_WITHIN = Duration.ofSeconds(3);

    /** After a container's end its log comes at once, or its node does not answer. */
    private static final Duration END_PATIENCE = Duration.ofSeconds(15);

    private static final Duration LOOK_EVERY = Duration.ofMillis(10);

    private final Cluster cluster;
    private final String namespace;
    private final String pod;
    private final TaskLogFiles log;
    private final long bytesMax;
    private final Runnable whenDone;
    private final Thread thread;
    private volatile boolean isStopped;
    private volatile boolean isDone;
    private volatile long endedNanos;
    private volatile boolean hasEnded;
    private InputStream stream;

    LogCopier(
            Cluster cluster,
            String namespace,
            String pod,
            TaskLogFiles log,
            long bytesMax,
            Runnable whenDone) {
        this.cluster = cluster;
        this.namespace = namespace;
        this.pod = pod;
        this.log = log;
        this.bytesMax = bytesMax;
        this.whenDone = whenDone;
        this.thread = Thread.ofVirtual().name("log of " + pod).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** The container has ended: what it has written is all there will be. */
    void containerEnded() {
        if (hasEnded) return;
        endedNanos = System.nanoTime();
        hasEnded = true;
    }

    /** Whether the log is complete, or as complete as it can be. */
    boolean isDone() {
        return isDone;
    }

    /** Writes nothing more from now on. */
    void stop() {
        synchronized (this) {
            isStopped = true;
            closeStream();
        }
        LockSupport.unpark(thread);
    }

    /** Adds a line of our own, on a line of its own. */
    synchronized void note(String line) throws IOException {
        if (isStopped) return;
        note(log, line, bytesMax);
    }

    static void note(TaskLogFiles log, String line, long bytesMax) throws IOException {
        long end = log.end();
        var place = LogPlace.parse(log.place());
        long surplus = end - place.logEnd();
        byte[] last = end == 0 ? new byte[] {'\n'} : log.read(end - 1, 1);
        String text = (last.length == 1 && last[0] != '\n' ? "\n" : "") + line + "\n";
        byte[] bytes = text.getBytes(UTF_8);
        log.append(bytes, bytes.length, bytesMax);
        // The line is none of the pod's, so it must not count as copied.
        log.place(place.at(log.end() - surplus).text());
    }

    private void run() {
        Duration wait = RETRY_FIRST;
        while (!isStopped) {
            boolean isWhole = false;
            long before = 0;
            try {
                before = log.end();
                isWhole = copy();
                if (log.end() > before) wait = RETRY_FIRST;
            } catch (IOException problem) {
                LOG.log(Level.DEBUG, "the log of {0} broke off: {1}", pod, problem.getMessage());
            }
            if (isWhole && endIsTold()) break;
            if (isOverdue()) {
                giveUp();
                break;
            }
            LockSupport.parkNanos(wait.toNanos());
            wait = wait.multipliedBy(2).compareTo(RETRY_MAX) < 0 ? wait.multipliedBy(2) : RETRY_MAX;
        }
        isDone = true;
        if (!isStopped) whenDone.run();
    }

    private boolean endIsTold() {
        long deadline = System.nanoTime() + END_TOLD_WITHIN.toNanos();
        while (!hasEnded && !isStopped && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
        return hasEnded;
    }

    private boolean isOverdue() {
        return hasEnded && System.nanoTime() - endedNanos > END_PATIENCE.toNanos();
    }

    private synchronized void giveUp() {
        if (isStopped) return;
        try {
            note(log, "fairlead: the rest of this log could not be had from the cluster", bytesMax);
        } catch (IOException problem) {
            LOG.log(Level.WARNING, "cannot write the log of {0}: {1}", pod, problem.getMessage());
        }
    }

    /** Copies until the stream ends. Answers whether it ended by itself. */
    private boolean copy() throws IOException {
        LogPlace from = LogPlace.parse(log.place());
        long surplus = Math.max(0, log.end() - from.logEnd());
        InputStream opened = cluster.log(namespace, pod, from.stamp(), true);
        synchronized (this) {
            if (isStopped) {
                opened.close();
                return false;
            }
            stream = opened;
        }
        var lines = new StampedLines(from, surplus);
        var buffer = new byte[BUFFER_BYTES];
        long notedNanos = System.nanoTime();
        try {
            int length = opened.read(buffer);
            while (length >= 0) {
                synchronized (this) {
                    if (isStopped) return false;
                    byte[] fresh = lines.take(buffer, length);
                    log.append(fresh, fresh.length, bytesMax);
                    if (System.nanoTime() - notedNanos > NOTE_PLACE_EVERY.toNanos()) {
                        log.place(lines.place(log.end()).text());
                        notedNanos = System.nanoTime();
                    }
                }
                length = opened.read(buffer);
            }
            return true;
        } finally {
            synchronized (this) {
                if (!isStopped) log.place(lines.place(log.end()).text());
                closeStream();
            }
        }
    }

    private void closeStream() {
        if (stream == null) return;
        try {
            stream.close();
        } catch (IOException problem) {
            LOG.log(Level.DEBUG, "cannot close the log of {0}: {1}", pod, problem.getMessage());
        }
        stream = null;
    }
}
