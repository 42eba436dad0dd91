package fairlead.storage.azureblob;

import fairlead.storage.Address;
import fairlead.storage.Progress;
import fairlead.storage.StorageException;

import java.util.concurrent.atomic.AtomicLong;

/** A progress that counts, and ends the transfer when more than a limit has moved. */
final class Counter implements Progress {
    private final long limit;
    private final AtomicLong moved = new AtomicLong();
    private final AtomicLong skipped = new AtomicLong();
    private final AtomicLong found = new AtomicLong();
    private final AtomicLong finished = new AtomicLong();

    Counter() {
        this(Long.MAX_VALUE);
    }

    Counter(long limit) {
        this.limit = limit;
    }

    @Override
    public void moved(Address file, long bytes) throws StorageException {
        if (moved.addAndGet(bytes) > limit) throw new StorageException("enough");
    }

    @Override
    public void skipped(Address file, long bytes) {
        skipped.addAndGet(bytes);
    }

    @Override
    public void found(Address file, long bytes) {
        found.addAndGet(bytes);
    }

    @Override
    public void finished(Address file) {
        finished.incrementAndGet();
    }

    long moved() {
        return moved.get();
    }

    long skipped() {
        return skipped.get();
    }

    long found() {
        return found.get();
    }

    long finished() {
        return finished.get();
    }
}
