package fairlead.server;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other threads will make true. */
public final class Eventually {
    /** Generous: a busy machine is slow, and a good run never waits for it. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private Eventually() {}

    public static void when(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > deadline) fail("did not come true: " + what);
            LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
        }
    }
}
