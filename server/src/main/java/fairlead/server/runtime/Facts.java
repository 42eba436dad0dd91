package fairlead.server.runtime;

import fairlead.api.EventBody;
import fairlead.control.Tick;
import fairlead.job.JobId;
import fairlead.server.bodies.Bodies;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Tells whoever listens what has just become true. The loop publishes and is never held up: those
 * who watch one job are only told to look again, and those who want every event read them from one
 * ring, which overtakes a reader that is too slow. Any thread may listen.
 */
public final class Facts {
    /** A request of the most jobs, placed and started, without loss for a reader that keeps up. */
    private static final int EVENTS_MAX = 32_768;

    /** Keeps what one reader copies at a time small. */
    private static final int PAGE_MAX = 1_000;

    private final Map<JobId, List<Watch>> watches = new HashMap<>();
    private final EventBody[] ring;
    private long next;
    private int readers;
    private boolean closed;

    public Facts() {
        this(EVENTS_MAX);
    }

    Facts(int eventsMax) {
        this.ring = new EventBody[eventsMax];
    }

    /** A reader was overtaken: events that it has not seen are gone. */
    public static final class FellBehind extends Exception {
        private static final long serialVersionUID = 1;

        FellBehind(long missed) {
            super("read too slowly; " + missed + " events were dropped");
        }
    }

    /** Loop only. */
    public synchronized void publish(Tick tick) {
        if (readers > 0) {
            for (int i = 0; i < tick.facts().size(); i++) {
                ring[(int) (next++ % ring.length)] =
                        Bodies.event(tick.facts().get(i), tick.after().get(i));
            }
        }
        if (!tick.facts().isEmpty()) {
            if (!watches.isEmpty()) {
                Set<JobId> touched = new HashSet<>();
                tick.facts().forEach(fact -> touched.add(fact.job()));
                for (JobId job : touched) {
                    watches.getOrDefault(job, List.of()).forEach(Watch::touch);
                }
            }
            notifyAll();
        }
    }

    /** Wakes everyone who waits; nobody waits from now on. */
    public synchronized void close() {
        closed = true;
        watches.values().forEach(all -> all.forEach(Watch::touch));
        notifyAll();
    }

    /** Begins to watch one job. */
    public synchronized Watch watch(JobId job) {
        var watch = new Watch(job);
        watches.computeIfAbsent(job, _ -> new ArrayList<>()).add(watch);
        if (closed) watch.touch();
        return watch;
    }

    /** Begins to read every event from now on. */
    public synchronized Reader reader() {
        readers++;
        return new Reader(next);
    }

    /** Says when something may have happened to one job. For one thread. */
    public final class Watch implements AutoCloseable {
        private final JobId job;
        private final Semaphore touched = new Semaphore(0);

        private Watch(JobId job) {
            this.job = job;
        }

        private void touch() {
            if (touched.availablePermits() == 0) touched.release();
        }

        /** Whether something happened since the last call, waiting for it up to this long. */
        public boolean await(Duration patience) throws InterruptedException {
            boolean happened = touched.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
            if (happened) touched.drainPermits();
            return happened;
        }

        @Override
        public void close() {
            synchronized (Facts.this) {
                watches.computeIfPresent(
                        job,
                        (_, all) -> {
                            all.remove(this);
                            return all.isEmpty() ? null : all;
                        });
            }
        }
    }

    /** A place in the row of all events. For one thread. */
    public final class Reader implements AutoCloseable {
        private long seen;

        private Reader(long seen) {
            this.seen = seen;
        }

        /** The next events, waiting for them up to this long; none when the time is over. */
        public List<EventBody> await(Duration patience) throws InterruptedException, FellBehind {
            long deadline = System.nanoTime() + patience.toNanos();
            synchronized (Facts.this) {
                while (seen == next && !closed) {
                    long left = deadline - System.nanoTime();
                    if (left <= 0) return List.of();
                    TimeUnit.NANOSECONDS.timedWait(Facts.this, left);
                }
                long oldest = Math.max(0, next - ring.length);
                if (seen < oldest) throw new FellBehind(oldest - seen);
                var page = new ArrayList<EventBody>();
                while (seen < next && page.size() < PAGE_MAX) {
                    page.add(ring[(int) (seen++ % ring.length)]);
                }
                return page;
            }
        }

        @Override
        public void close() {
            synchronized (Facts.this) {
                readers--;
            }
        }
    }
}
