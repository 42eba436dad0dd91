package fairlead.api.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/** The body of an HTTP answer: it ends where its length, its last chunk or the connection says. */
final class HttpBody extends InputStream {
    private static final int CHUNK_LINE_BYTES_MAX = 1_024;
    private static final long UNTIL_CLOSE = -1;

    private final InputStream in;
    private final boolean chunked;

    /** Bytes left in the body or in this chunk, or {@link #UNTIL_CLOSE}. */
    private long left;

    private boolean ended;

    private HttpBody(InputStream in, boolean chunked, long left) {
        this.in = in;
        this.chunked = chunked;
        this.left = left;
        this.ended = !chunked && left == 0;
    }

    static InputStream of(InputStream in, int status, Map<String, String> headers)
            throws IOException {
        if (status == 204 || status == 304) return InputStream.nullInputStream();
        if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
            return new HttpBody(in, true, 0);
        }
        String length = headers.get("content-length");
        if (length == null) return new HttpBody(in, false, UNTIL_CLOSE);
        if (!length.matches("\\d{1,18}")) throw new IOException("bad Content-Length: " + length);
        return new HttpBody(in, false, Long.parseLong(length));
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) return 0;
        if (!ended && chunked && left == 0) nextChunk();
        if (ended) return -1;
        int wanted = left == UNTIL_CLOSE ? length : (int) Math.min(length, left);
        int count = in.read(target, offset, wanted);
        if (left == UNTIL_CLOSE) {
            ended = count < 0;
            return count;
        }
        if (count < 0) throw new EOFException("the server hung up in the middle of an answer");
        left -= count;
        if (left == 0) {
            if (chunked) HttpResponse.line(in, CHUNK_LINE_BYTES_MAX);
            else ended = true;
        }
        return count;
    }

    private void nextChunk() throws IOException {
        String size = HttpResponse.line(in, CHUNK_LINE_BYTES_MAX).split(";", 2)[0].strip();
        if (!size.matches("[0-9A-Fa-f]{1,15}")) throw new IOException("bad chunk size: " + size);
        left = Long.parseLong(size, 16);
        if (left == 0) {
            ended = true;
            while (!HttpResponse.line(in, CHUNK_LINE_BYTES_MAX).isEmpty()) {
                continue;
            }
        }
    }

    /** What can be read without waiting: lets a follower flush when nothing more is on its way. */
    @Override
    public int available() throws IOException {
        if (ended) return 0;
        int ready = in.available();
        return left == UNTIL_CLOSE || chunked ? ready : (int) Math.min(ready, left);
    }
}
