package fairlead.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.WritableHeaders;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

/** HEAD requests: answered as their GET would be, but without the body. */
public final class Head {
    /** Marks the answer to a HEAD of a stream, and is never sent. */
    private static final HeaderName STREAM = HeaderNames.create("X-Fairlead-Stream");

    private static final String METHOD = "HEAD";

    private Head() {}

    /** Ends a route whose answer is a stream: the headers were all that was asked for. */
    public static final class Answered extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Answered() {
            super("a HEAD request is answered", null, false, false);
        }
    }

    public static boolean is(ServerRequest request) {
        return request.prologue().method().text().equals(METHOD);
    }

    /** What a route must say to answer the request: HEAD is a GET. */
    public static String methodOf(ServerRequest request) {
        return is(request) ? "GET" : request.prologue().method().text();
    }

    /** Sends the body, or for HEAD its length alone. */
    public static void send(ServerRequest request, ServerResponse response, byte[] body) {
        if (!is(request)) {
            response.send(body);
            return;
        }
        response.header(HeaderNames.CONTENT_LENGTH, Integer.toString(body.length)).send();
    }

    /**
     * Of a stream nobody knows the length, and the library says 0 for it: that is taken out again,
     * and what GET would say is put there instead.
     */
    static void correct(WritableHeaders<?> sent) {
        if (!sent.contains(STREAM)) return;
        sent.remove(STREAM);
        sent.remove(HeaderNames.CONTENT_LENGTH);
        sent.set(HeaderValues.TRANSFER_ENCODING_CHUNKED);
    }

    /** To be called before a stream begins, whose headers are set. */
    public static void endStream(ServerRequest request, ServerResponse response) {
        if (!is(request)) return;
        response.header(STREAM, "yes").send();
        throw new Answered();
    }
}
