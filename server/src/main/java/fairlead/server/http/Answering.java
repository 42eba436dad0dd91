package fairlead.server.http;

import io.helidon.http.Headers;
import io.helidon.http.Status;
import io.helidon.http.WritableHeaders;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;

/** Sees each answer just before it goes out. */
final class Answering implements Http1ConnectionListener {
    @Override
    public void status(ConnectionContext context, Status status) {
        StrictChunks.answered(context);
    }

    @Override
    public void headers(ConnectionContext context, Headers headers) {
        if (headers instanceof WritableHeaders<?> sent) Head.correct(sent);
    }
}
