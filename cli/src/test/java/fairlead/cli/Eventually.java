package fairlead.cli;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, with a bound far above what a busy machine needs. */
final class Eventually {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(10);

    private Eventually() {}

    static void isTrue(BooleanSupplier condition) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) fail("not true after " + BOUND.toSeconds() + " s");
            LockSupport.parkNanos(POLL.toNanos());
        }
    }
}
