package fairlead.storage;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells a progress what a storage has read of a stream, and lets it and an interrupt end the
 * reading: the {@link StorageException} is the cause of what is thrown then.
 */
public final class Watched extends FilterInputStream {
    private final Address file;
    private final Progress progress;
    private final AtomicLong told;
    private long seen;

    /**
     * @param told how many bytes have been reported, when the same is read several times
     */
    public Watched(InputStream in, Address file, Progress progress, AtomicLong told) {
        super(in);
        this.file = file;
        this.progress = progress;
        this.told = told;
    }

    @Override
    public int read() throws IOException {
        int one = in.read();
        if (one >= 0) moved(1);
        return one;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = in.read(buffer, offset, Math.min(length, Transfer.BUFFER_BYTES));
        if (count > 0) moved(count);
        return count;
    }

    private void moved(long bytes) throws IOException {
        seen += bytes;
        long before = told.getAndAccumulate(seen, Math::max);
        try {
            Ended.ifInterrupted(file);
            if (seen > before) progress.moved(file, seen - before);
        } catch (StorageException reason) {
            throw new Ended(reason);
        }
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
