package fairlead.api.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The head of an HTTP answer, and its body as a stream that ends where the body ends.
 *
 * @param headers by their names in lower case
 */
record HttpResponse(int status, Map<String, String> headers, InputStream body) {
    /** A head is a few hundred bytes; more than this is not our server. */
    private static final int HEAD_BYTES_MAX = 64 * 1024;

    /** The connection speaks another protocol from here on. */
    static final int SWITCHED = 101;

    static HttpResponse read(InputStream in) throws IOException {
        int status;
        Map<String, String> headers;
        int budget = HEAD_BYTES_MAX;
        do {
            String first = line(in, budget);
            budget -= first.length();
            status = status(first);
            headers = new HashMap<>();
            for (String line = line(in, budget); !line.isEmpty(); line = line(in, budget)) {
                budget -= line.length() + 2;
                int colon = line.indexOf(':');
                if (colon < 1) throw new IOException("not an HTTP header: " + line);
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        } while (status >= 100 && status < 200 && status != SWITCHED);
        return new HttpResponse(status, headers, HttpBody.of(in, status, headers));
    }

    private static int status(String line) throws IOException {
        if (!line.matches("HTTP/1\\.[01] \\d{3}( .*)?")) {
            throw new IOException("not an HTTP answer");
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    boolean keepsConnection() {
        return !"close".equalsIgnoreCase(headers.get("connection"));
    }

    /** Reads up to a line feed, without it and without a carriage return before it. */
    static String line(InputStream in, int bytesMax) throws IOException {
        byte[] line = new byte[128];
        int length = 0;
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) throw new EOFException("the server hung up");
            if (length >= bytesMax) throw new IOException("a line of the answer is too long");
            if (length == line.length) line = java.util.Arrays.copyOf(line, length * 2);
            line[length++] = (byte) b;
        }
        if (length > 0 && line[length - 1] == '\r') length--;
        return new String(line, 0, length, StandardCharsets.UTF_8);
    }
}
