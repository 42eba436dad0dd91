package fairlead.storage;

import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Pieces one after the other as one stream, which reports to a progress what was read of them. */
final class PiecesStream extends InputStream {
    private final Address file;
    private final Iterator<Piece> rest;
    private final Progress progress;
    private InputStream now = InputStream.nullInputStream();

    PiecesStream(Address file, List<Piece> pieces, Progress progress) {
        this.file = file;
        this.rest = pieces.iterator();
        this.progress = progress;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (length == 0) return 0;
        int count = now.read(buffer, offset, length);
        while (count < 0 && rest.hasNext()) {
            now.close();
            Piece piece = rest.next();
            InputStream in = new Limited(piece.opener().open(), piece.bytes());
            now = new Watched(in, file, progress, new AtomicLong());
            count = now.read(buffer, offset, length);
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        now.close();
    }
}
