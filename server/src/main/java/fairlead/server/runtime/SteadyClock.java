package fairlead.server.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The time that jobs are counted by: that of the wall clock when the server starts, and from then
 * on what really passes. Jumps of the wall clock are not followed in either direction, so that a
 * job of one hour has its hour. Any thread.
 *
 * <p>While the machine sleeps time passes too, as for Linux's CLOCK_BOOTTIME: tasks on other
 * machines go on, and the times that are shown stay right. Java's own steady clock stands still
 * then, so what it misses is added.
 */
public final class SteadyClock implements Supplier<Instant> {
    private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

    /** More than the two clocks differ by being read one after the other on a busy machine. */
    private static final long SLEEP_LEAST_NANOS = Duration.ofSeconds(1).toNanos();

    private final Instant start;
    private final LongSupplier nanos;
    private final LongSupplier upNanos;
    private final long startNanos;
    private final long startGap;
    private long lookedNanos;
    private long sleptNanos;

    /**
     * @param nanos as {@link System#nanoTime()}: only differences count
     * @param upNanos since the machine's boot, sleep included
     */
    SteadyClock(Instant start, LongSupplier nanos, LongSupplier upNanos) {
        this.start = start;
        this.nanos = nanos;
        this.upNanos = upNanos;
        this.startNanos = nanos.getAsLong();
        this.startGap = upNanos.getAsLong() - startNanos;
        this.lookedNanos = startNanos;
    }

    @Override
    public synchronized Instant get() {
        long now = nanos.getAsLong();
        if (now - lookedNanos >= LOOK_NANOS) {
            lookedNanos = now;
            long slept = upNanos.getAsLong() - now - startGap;
            if (slept - sleptNanos >= SLEEP_LEAST_NANOS) sleptNanos = slept;
        }
        return start.plusNanos(now - startNanos + sleptNanos);
    }
}
