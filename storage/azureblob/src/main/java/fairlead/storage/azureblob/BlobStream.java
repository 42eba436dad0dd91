package fairlead.storage.azureblob;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpResponse;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;

/**
 * One version of a blob as it is read. A connection that is cut is opened again where it was, for
 * the same version; what was read from the first byte to the last is compared with the MD5 that the
 * service keeps of it. Not thread-safe.
 */
final class BlobStream extends InputStream {
    /** In a row without one byte; the pauses between them are a second and a half together. */
    private static final int CUTS_MAX = 4;

    private static final Duration PAUSE_FIRST = Duration.ofMillis(100);

    private final Calls calls;
    private final Account account;
    private final String name;
    private final String etag;
    private final long end;
    private final String md5Told;
    private final MessageDigest md5;
    private final boolean isMark;
    private InputStream body;
    private long at;
    private int cuts;
    private boolean isCompared;

    /**
     * Opens it at once.
     *
     * @param bytes negative for all that follow
     * @param etag of the version to be read; empty for the present one
     */
    BlobStream(Calls calls, Account account, String name, long offset, long bytes, String etag) {
        this.calls = calls;
        this.account = account;
        this.name = name;
        this.at = offset;
        HttpResponse answer = calls.get(name, range(offset, bytes), etag);
        this.body = answer.getBodyAsInputStreamSync();
        this.etag = header(answer, HttpHeaderName.ETAG);
        this.end = offset + length(answer);
        boolean isWhole = offset == 0 && bytes < 0;
        this.md5Told = isWhole ? header(answer, HttpHeaderName.CONTENT_MD5) : "";
        this.md5 = md5Told.isEmpty() ? null : Calls.md5();
        this.isMark =
                !header(answer, HttpHeaderName.fromString("x-ms-meta-" + Names.MARK)).isEmpty();
    }

    boolean isMark() {
        return isMark;
    }

    private static String range(long offset, long bytes) {
        if (offset == 0 && bytes < 0) return "";
        return "bytes=" + offset + "-" + (bytes < 0 ? "" : String.valueOf(offset + bytes - 1));
    }

    private static String header(HttpResponse answer, HttpHeaderName name) {
        String value = answer.getHeaderValue(name);
        return value == null ? "" : value;
    }

    private static long length(HttpResponse answer) {
        return Long.parseLong(header(answer, HttpHeaderName.CONTENT_LENGTH));
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        while (at < end) {
            try {
                int count = body.read(buffer, offset, length);
                if (count < 0) throw new EOFException("the connection was cut");
                if (md5 != null) md5.update(buffer, offset, count);
                at += count;
                cuts = 0;
                return count;
            } catch (IOException cut) {
                reopen(cut);
            }
        }
        compare();
        return -1;
    }

    private void reopen(IOException cut) throws IOException {
        close();
        while (true) {
            boolean isInterrupted = Thread.currentThread().isInterrupted();
            if (isInterrupted || ++cuts > CUTS_MAX)
                throw new IOException(BlobWords.of(account, cut), cut);
            try {
                Thread.sleep(PAUSE_FIRST.multipliedBy(1L << (cuts - 1)));
                body = calls.get(name, range(at, end - at), etag).getBodyAsInputStreamSync();
                return;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted");
            } catch (RuntimeException problem) {
                throw new IOException(
                        BlobWords.failed("cut at byte " + at, account, problem).getMessage());
            }
        }
    }

    private void compare() throws IOException {
        if (md5 == null || isCompared) return;
        isCompared = true;
        if (!Base64.getEncoder().encodeToString(md5.digest()).equals(md5Told))
            throw new IOException("it is damaged: it does not match its MD5");
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
