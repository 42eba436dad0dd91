package fairlead.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for what other threads and processes will make true. */
public final class Eventually {
    /** Generous: a busy machine is slow, and a good run never waits for it. */
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static final Duration LOOK_EVERY = Duration.ofMillis(5);

    private Eventually() {}

    /** A question that may fail, as everything outside may. */
    @FunctionalInterface
    public interface Condition<E extends Exception> {
        boolean holds() throws E;
    }

    public static <E extends Exception> void when(Condition<E> condition) throws E {
        when("what the test waits for", condition);
    }

    public static <E extends Exception> void when(String what, Condition<E> condition) throws E {
        when(() -> what, condition);
    }

    /**
     * @param what is asked only when it did not come true, and may then tell what did
     */
    public static <E extends Exception> void when(Supplier<String> what, Condition<E> condition)
            throws E {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("did not come true: " + what.get());
            }
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }
}
