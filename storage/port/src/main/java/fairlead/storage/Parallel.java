package fairlead.storage;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Work on several threads, never more than a bound at once. The first failure is the failure of
 * all: what still runs is interrupted, and nothing more is begun. One thread hands the work in.
 * Threads are virtual, because an interrupt of such a thread also ends its waiting for a network.
 */
public final class Parallel implements AutoCloseable {
    /** One piece of the work. */
    public interface Work {
        void run() throws StorageException;
    }

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Semaphore places;
    private final int atOnce;

    public Parallel(int atOnce) {
        this.atOnce = atOnce;
        this.places = new Semaphore(atOnce);
    }

    /** Begins this work when there is a place for it. */
    public void start(Work work) throws StorageException {
        await(1);
        try {
            threads.execute(() -> run(work));
        } catch (RejectedExecutionException _) {
            // Another has failed just now.
            places.release();
            await(1);
        }
    }

    private void run(Work work) {
        try {
            if (failure.get() == null) work.run();
        } catch (StorageException | RuntimeException | Error problem) {
            // At once, because others may wait for what this one would have done.
            if (failure.compareAndSet(null, problem)) threads.shutdownNow();
        } finally {
            places.release();
        }
    }

    /** Waits until all is done. */
    public void finish() throws StorageException {
        await(atOnce);
        places.release(atOnce);
    }

    private void await(int count) throws StorageException {
        try {
            places.acquire(count);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new StorageException("interrupted");
        }
        Throwable problem = failure.get();
        if (problem == null) return;
        places.release(count);
        switch (problem) {
            // A new one, so that the trace shows both threads.
            case StorageException known -> throw new StorageException(known.getMessage(), known);
            case RuntimeException bug -> throw bug;
            case Error bug -> throw bug;
            default -> throw new AssertionError(problem);
        }
    }

    /** Interrupts what still runs, and waits for its end. */
    @Override
    public void close() {
        threads.shutdownNow();
        threads.close();
    }
}
