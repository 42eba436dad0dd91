package fairlead.server.http;

import io.helidon.common.buffers.DataReader;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import io.helidon.http.RequestException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Refuses a request whose headers leave in doubt where it ends, before any route is asked: a proxy
 * that reads them otherwise would take a part of its body for the next request, or the other way
 * round. What it refuses closes the connection. Any thread.
 */
public final class Framing implements Http1ConnectionListener {
    /** No sign, no spaces; long enough for what is refused as too large. */
    private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");

    @Override
    public void headers(ConnectionContext context, Headers headers) {
        StrictChunks.headEnded(context);
        List<String> lengths = all(headers, HeaderNames.CONTENT_LENGTH);
        List<String> encodings = all(headers, HeaderNames.TRANSFER_ENCODING);
        if (lengths.size() > 1) throw refused("it has several lengths");
        if (!lengths.isEmpty() && !LENGTH.matcher(lengths.getFirst()).matches())
            throw refused("its Content-Length is not a number");
        if (encodings.isEmpty()) return;
        if (!lengths.isEmpty())
            throw refused("it has a Content-Length and a Transfer-Encoding; one of them is wrong");
        if (encodings.size() > 1 || !encodings.getFirst().equals("chunked"))
            throw refused("the only Transfer-Encoding is chunked");
    }

    /** Each line of the header, also where one repeats another. */
    private static List<String> all(Headers headers, HeaderName name) {
        return headers.contains(name) ? headers.get(name).allValues() : List.of();
    }

    /**
     * A body, read to its end so that its sender hears what is wrong with it; empty when it is too
     * long.
     *
     * @throws RequestException when it comes in bad chunks, of which the library itself makes a bug
     */
    public static Optional<byte[]> body(InputStream in, int bytesMax) throws IOException {
        try {
            byte[] bytes = in.readNBytes(bytesMax + 1);
            if (bytes.length <= bytesMax) return Optional.of(bytes);
            in.transferTo(OutputStream.nullOutputStream());
            return Optional.empty();
        } catch (NumberFormatException | DataReader.IncorrectNewLineException bad) {
            throw refused("the size of a chunk is bad");
        }
    }

    static RequestException refused(String words) {
        return RequestException.builder()
                .type(DirectHandler.EventType.BAD_REQUEST)
                .message("the request does not say where it ends: " + words)
                .safeMessage(true)
                .setKeepAlive(false)
                .build();
    }
}
