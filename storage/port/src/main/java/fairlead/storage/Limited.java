package fairlead.storage;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Exactly so many bytes of a stream: one that ends before them is an error, and not a short file.
 */
public final class Limited extends FilterInputStream {
    private long left;

    public Limited(InputStream in, long bytes) {
        super(in);
        this.left = bytes;
    }

    @Override
    public int read() throws IOException {
        if (left == 0) return -1;
        int one = in.read();
        if (one < 0) throw cut();
        left--;
        return one;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (left == 0) return -1;
        int count = in.read(buffer, offset, (int) Math.min(length, left));
        if (count < 0) throw cut();
        left -= count;
        return count;
    }

    private EOFException cut() {
        return new EOFException("it ends " + left + " bytes too early");
    }

    @Override
    public long skip(long bytes) throws IOException {
        long count = in.skip(Math.min(bytes, left));
        left -= count;
        return count;
    }

    @Override
    public int available() throws IOException {
        return (int) Math.min(in.available(), left);
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
