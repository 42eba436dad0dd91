package fairlead.server.http;

import io.helidon.http.HttpPrologue;
import io.helidon.http.WritableHeaders;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.spi.Http1Upgrader;
import io.helidon.webserver.spi.ServerConnection;

/** For a listener whose connections stay HTTP. */
public final class NoUpgrade implements Http1Upgrader {
    @Override
    public String supportedProtocol() {
        return "none";
    }

    @Override
    public ServerConnection upgrade(
            ConnectionContext context, HttpPrologue prologue, WritableHeaders<?> headers) {
        return null;
    }
}
