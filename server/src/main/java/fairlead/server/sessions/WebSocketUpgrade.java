package fairlead.server.sessions;

import fairlead.server.auth.BrowserAccess;
import fairlead.server.auth.Caller;
import fairlead.server.http.Streams;
import fairlead.server.http.Visitors;

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
 * The same for browsers: turns the connection of a call to /v1/exec/{session} into a WebSocket that
 * carries frames. A page of any site may open one here, and the browser sends our cookie along, so
 * only pages of our own are answered.
 */
public final class WebSocketUpgrade implements Http1Upgrader {
    private static final String VERSION = "13";

    private final ExecSessions sessions;
    private final Streams streams;
    private final BrowserAccess browsers;
    private final Visitors visitors;

    public WebSocketUpgrade(
            ExecSessions sessions, Streams streams, BrowserAccess browsers, Visitors visitors) {
        this.sessions = sessions;
        this.streams = streams;
        this.browsers = browsers;
        this.visitors = visitors;
    }

    @Override
    public String supportedProtocol() {
        return WebSocketWire.PROTOCOL;
    }

    @Override
    public ServerConnection upgrade(
            ConnectionContext context, HttpPrologue prologue, WritableHeaders<?> headers) {
        String path = prologue.uriPath().path();
        if (!prologue.method().equals(Method.GET) || !path.startsWith(ExecUpgrade.PATH))
            return null;
        Optional<String> origin = headers.first(HeaderNames.ORIGIN);
        Optional<String> key = headers.first(HeaderNames.create("Sec-WebSocket-Key"));
        Optional<String> version = headers.first(HeaderNames.create("Sec-WebSocket-Version"));
        boolean isOurs =
                origin.isPresent()
                        && visitors.pageRefusal(origin, headers.first(HeaderNames.HOST)).isEmpty();
        if (!isOurs || key.isEmpty() || !version.equals(Optional.of(VERSION))) return null;
        Optional<String> cookies = headers.first(HeaderNames.COOKIE);
        Optional<ExecSessions.Open> open =
                browsers.caller(cookies)
                        .map(Caller::name)
                        .flatMap(
                                name ->
                                        sessions.connect(
                                                path.substring(ExecUpgrade.PATH.length()), name));
        if (open.isEmpty()) return null;
        context.dataWriter()
                .writeNow(
                        BufferData.create(
                                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                                        + "Upgrade: websocket\r\nSec-WebSocket-Accept: "
                                        + WebSocketWire.accept(key.get())
                                        + "\r\n\r\n"));
        return new ExecConnection(
                context,
                sessions,
                open.get(),
                streams,
                () -> browsers.caller(cookies).isPresent(),
                new WebSocketWire());
    }
}
