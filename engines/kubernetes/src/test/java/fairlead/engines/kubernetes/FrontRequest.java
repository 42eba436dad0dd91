package fairlead.engines.kubernetes;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One HTTP/1.1 request, read whole.
 *
 * @param headers by their names in small letters
 */
record FrontRequest(String method, String target, Map<String, String> headers, byte[] body) {
    /** As large as etcd takes objects, and some more. */
    private static final int BODY_MAX = 4 << 20;

    private static final int LINE_MAX = 64 << 10;
    private static final int HEADERS_MAX = 100;

    /** The next request of a connection; empty when the other side has ended it. */
    static Optional<FrontRequest> read(InputStream in) throws IOException {
        String first = line(in);
        if (first == null) return Optional.empty();
        String[] words = first.split(" ");
        if (words.length != 3) throw new IOException("not a request: " + first);
        var headers = new HashMap<String, String>();
        while (true) {
            String line = line(in);
            if (line == null) throw new EOFException("the head of a request is cut");
            if (line.isEmpty()) break;
            int colon = line.indexOf(':');
            if (colon < 0 || headers.size() == HEADERS_MAX) throw new IOException("bad: " + line);
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return Optional.of(new FrontRequest(words[0], words[1], headers, body(in, headers)));
    }

    private static byte[] body(InputStream in, Map<String, String> headers) throws IOException {
        if (headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
            var all = new ByteArrayOutputStream();
            while (true) {
                String line = line(in);
                if (line == null) throw new EOFException("the body of a request is cut");
                int size = Integer.parseInt(line.split(";")[0].strip(), 16);
                if (all.size() + size > BODY_MAX) throw new IOException("a body is too long");
                all.write(exactly(in, size));
                line(in);
                if (size == 0) return all.toByteArray();
            }
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        if (length > BODY_MAX) throw new IOException("a body is too long");
        return exactly(in, length);
    }

    static byte[] exactly(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) throw new EOFException("a request is cut");
        return bytes;
    }

    private static String line(InputStream in) throws IOException {
        var bytes = new ByteArrayOutputStream();
        for (int each = in.read(); each >= 0; each = in.read()) {
            if (each == '\n') {
                return bytes.toString(StandardCharsets.UTF_8).stripTrailing();
            }
            if (bytes.size() == LINE_MAX) throw new IOException("a line is too long");
            bytes.write(each);
        }
        if (bytes.size() > 0) throw new EOFException("a line is cut");
        return null;
    }

    ApiCall call() {
        return ApiCall.of(method, target);
    }

    boolean webSocket() {
        return headers.getOrDefault("upgrade", "").equalsIgnoreCase("websocket");
    }
}
