package fairlead.server.sessions;

import fairlead.api.client.Frame;
import fairlead.server.auth.Access;
import fairlead.server.auth.Caller;
import fairlead.server.http.Streams;

import io.helidon.common.buffers.BufferData;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpPrologue;
import io.helidon.http.Method;
import io.helidon.http.WritableHeaders;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.spi.Http1Upgrader;
import io.helidon.webserver.spi.ServerConnection;

import java.util.Optional;

/**
 * Turns the connection of a call to /v1/exec/{session} into one that carries frames. What it does
 * not take goes on to the route, which says why.
 */
public final class ExecUpgrade implements Http1Upgrader {
    static final String PATH = "/v1/exec/";
    private static final String SWITCHING =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: "
                    + Frame.PROTOCOL
                    + "\r\n\r\n";

    private final ExecSessions sessions;
    private final Streams streams;
    private final Access access;

    public ExecUpgrade(ExecSessions sessions, Streams streams, Access access) {
        this.sessions = sessions;
        this.streams = streams;
        this.access = access;
    }

    @Override
    public String supportedProtocol() {
        return Frame.PROTOCOL;
    }

    @Override
    public ServerConnection upgrade(
            ConnectionContext context, HttpPrologue prologue, WritableHeaders<?> headers) {
        String path = prologue.uriPath().path();
        if (!prologue.method().equals(Method.GET) || !path.startsWith(PATH)) return null;
        String token = headers.first(HeaderNames.AUTHORIZATION).orElse("");
        Optional<String> person = access.caller(token).map(Caller::name);
        Optional<ExecSessions.Open> open =
                person.flatMap(name -> sessions.connect(path.substring(PATH.length()), name));
        if (open.isEmpty()) return null;
        context.dataWriter().writeNow(BufferData.create(SWITCHING));
        return new ExecConnection(
                context,
                sessions,
                open.get(),
                streams,
                () -> access.caller(token).isPresent(),
                Wire.PLAIN);
    }
}
