package fairlead.server.runtime;

import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The wall clock, except that it never goes back: after a jump back it goes on at its own pace, so
 * that a pause of one second never becomes an hour. A jump ahead is followed. Any thread.
 */
public final class SteadyClock implements Supplier<Instant> {
    private final Supplier<Instant> wall;
    private final LongSupplier nanos;
    private Instant last;
    private long lastNanos;

    public SteadyClock() {
        this(Instant::now, System::nanoTime);
    }

    /**
     * @param nanos as {@link System#nanoTime()}: only differences count
     */
    SteadyClock(Supplier<Instant> wall, LongSupplier nanos) {
        this.wall = wall;
        this.nanos = nanos;
        this.last = wall.get();
        this.lastNanos = nanos.getAsLong();
    }

    @Override
    public synchronized Instant get() {
        long now = nanos.getAsLong();
        Instant told = wall.get();
        Instant least = last.plusNanos(now - lastNanos);
        last = told.isAfter(least) ? told : least;
        lastNanos = now;
        return last;
    }
}
