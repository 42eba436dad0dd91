package fairlead.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Work on several threads, and how it ends. */
@Timeout(60)
class ParallelTest {
    @Test
    void neverMoreThanTheBoundAtOnce() throws Exception {
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        var done = new AtomicInteger();
        try (var parallel = new Parallel(3)) {
            for (int i = 0; i < 200; i++) {
                parallel.start(
                        () -> {
                            most.accumulateAndGet(now.incrementAndGet(), Math::max);
                            Thread.yield();
                            now.decrementAndGet();
                            done.incrementAndGet();
                        });
            }
            parallel.finish();
        }
        assertEquals(200, done.get());
        assertTrue(most.get() <= 3, "at once: " + most);
    }

    @Test
    void aFailureEndsThoseThatWaitForIt() throws Exception {
        var begun = new CountDownLatch(1);
        var isInterrupted = new CountDownLatch(1);
        try (var parallel = new Parallel(2)) {
            parallel.start(
                    () -> {
                        try {
                            begun.countDown();
                            new CountDownLatch(1).await();
                        } catch (InterruptedException _) {
                            isInterrupted.countDown();
                        }
                    });
            begun.await();
            parallel.start(
                    () -> {
                        throw new StorageException("the disk is full");
                    });
            var problem = assertThrows(StorageException.class, parallel::finish);
            assertEquals("the disk is full", problem.getMessage());
            assertThrows(StorageException.class, () -> parallel.start(() -> {}));
        }
        isInterrupted.await();
    }

    @Test
    void afterTheEndOfAllMoreCanBegin() throws Exception {
        var done = new AtomicInteger();
        try (var parallel = new Parallel(2)) {
            for (int round = 1; round <= 3; round++) {
                parallel.start(done::incrementAndGet);
                parallel.finish();
                assertEquals(round, done.get());
            }
        }
    }

    @Test
    void aCloseWaitsForWhatItHasInterrupted() throws Exception {
        var begun = new CountDownLatch(1);
        var isDone = new AtomicBoolean();
        try (var parallel = new Parallel(1)) {
            parallel.start(
                    () -> {
                        try {
                            begun.countDown();
                            new CountDownLatch(1).await();
                        } catch (InterruptedException _) {
                            for (int i = 0; i < 1_000; i++) Thread.yield();
                            isDone.set(true);
                        }
                    });
            begun.await();
        }
        assertTrue(isDone.get());
    }

    @Test
    void anInterruptOfWhoHandsInIsKept() {
        try (var parallel = new Parallel(1)) {
            Thread.currentThread().interrupt();
            var ended = assertThrows(StorageException.class, () -> parallel.start(() -> {}));
            assertEquals("interrupted", ended.getMessage());
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void secretsAreInNoText() {
        var access =
                new Access("ann", Optional.of("key=="), Optional.of("?sig=abc"), Optional.empty());
        assertFalse(access.toString().contains("key=="), access.toString());
        assertFalse(access.toString().contains("abc"), access.toString());
    }
}
