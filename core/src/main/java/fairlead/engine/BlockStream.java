package fairlead.engine;

import java.io.IOException;
import java.io.InputStream;

/** A stream whose bytes come in blocks: a single byte is a block of one. */
public abstract class BlockStream extends InputStream {
    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public abstract int read(byte[] target, int offset, int length) throws IOException;
}
