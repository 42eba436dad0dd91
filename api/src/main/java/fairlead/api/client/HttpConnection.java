package fairlead.api.client;

import fairlead.api.Release;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * One HTTP/1.1 connection on a plain socket, because java.net.http alone would cost a command more
 * start-up time than all the rest of it. Not thread-safe; one exchange at a time.
 */
final class HttpConnection implements Closeable {
    private static final int CONNECT_TIMEOUT_MS = 5_000;
    private static final int BUFFER_BYTES = 16 * 1024;

    private final Socket socket;
    private final InputStream in;
    private final Endpoint endpoint;
    private boolean used;

    private HttpConnection(Endpoint endpoint, Socket socket) throws IOException {
        this.endpoint = endpoint;
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
    }

    static HttpConnection open(Endpoint endpoint) throws Unreachable {
        var socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            var address = new InetSocketAddress(endpoint.url().getHost(), endpoint.port());
            if (address.isUnresolved()) {
                throw new IOException("the name " + endpoint.url().getHost() + " is not known");
            }
            socket.connect(address, CONNECT_TIMEOUT_MS);
            return new HttpConnection(
                    endpoint, endpoint.tls() ? secured(endpoint, socket) : socket);
        } catch (SSLHandshakeException e) {
            closeQuietly(socket);
            throw new Untrusted(endpoint, e);
        } catch (IOException e) {
            closeQuietly(socket);
            throw new Unreachable(
                    "no server answers at " + endpoint + " (" + e.getMessage() + ")", e);
        }
    }

    private static Socket secured(Endpoint endpoint, Socket plain) throws IOException {
        boolean isPinned = endpoint.fingerprint() != null;
        var factory =
                isPinned
                        ? Fingerprint.trusting(endpoint.fingerprint())
                        : (SSLSocketFactory) SSLSocketFactory.getDefault();
        var tls =
                (SSLSocket)
                        factory.createSocket(
                                plain, endpoint.url().getHost(), endpoint.port(), true);
        var parameters = tls.getSSLParameters();
        // Without this, any certificate of any host would do.
        if (!isPinned) parameters.setEndpointIdentificationAlgorithm("HTTPS");
        tls.setSSLParameters(parameters);
        tls.setSoTimeout(CONNECT_TIMEOUT_MS);
        tls.startHandshake();
        return tls;
    }

    /** Sends one request and reads the head of its answer. The body is the caller's to read. */
    HttpResponse exchange(String method, String target, byte[] body, Duration timeout)
            throws Unreachable {
        return exchange(method, target, "", body, timeout);
    }

    /** Asks for a stream of events, after the one with this id where it is not null. */
    HttpResponse resume(String target, String after, Duration timeout) throws Unreachable {
        String header = after == null ? "" : "Last-Event-ID: " + after + "\r\n";
        return exchange("GET", target, header, null, timeout);
    }

    /** Asks for another protocol on this connection; the answer's status says whether it is so. */
    HttpResponse upgrade(String target, String protocol, Duration timeout) throws Unreachable {
        String header = "Connection: Upgrade\r\nUpgrade: " + protocol + "\r\n";
        return exchange("GET", target, header, null, timeout);
    }

    /** Only after an upgrade. */
    void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    private HttpResponse exchange(
            String method, String target, String header, byte[] body, Duration timeout)
            throws Unreachable {
        boolean isFirst = !used;
        used = true;
        try {
            patience(timeout);
            IOException refused = null;
            try {
                send(method, target, header, body);
            } catch (IOException e) {
                // A server that does not want the body may have answered before it hung up.
                refused = e;
            }
            try {
                return HttpResponse.read(in);
            } catch (IOException e) {
                throw refused == null ? e : refused;
            }
        } catch (SocketTimeoutException e) {
            throw new Unreachable(
                    "the server at "
                            + endpoint
                            + " did not answer in "
                            + timeout.toSeconds()
                            + " s",
                    e);
        } catch (IOException e) {
            if (isFirst && Fingerprint.isShownAt(endpoint))
                throw new Unreachable(
                        "the server at %s speaks TLS: log in again, to %s (or let its admins set 'tls = no' for plain HTTP)"
                                .formatted(
                                        endpoint, endpoint.toString().replace("http:", "https:")),
                        e);
            throw new Unreachable(
                    "the connection to " + endpoint + " broke (" + e.getMessage() + ")", e);
        }
    }

    private void send(String method, String target, String header, byte[] body) throws IOException {
        var head = new StringBuilder(256);
        head.append(method).append(' ').append(prefix()).append(target).append(" HTTP/1.1\r\n");
        head.append("Host: ").append(endpoint.url().getRawAuthority()).append("\r\n");
        head.append("User-Agent: ").append(Release.AGENT).append("\r\n");
        if (endpoint.token() != null) {
            head.append("Authorization: Bearer ").append(endpoint.token()).append("\r\n");
        }
        head.append(header);
        if (body != null) {
            head.append("Content-Type: application/json\r\nContent-Length: ").append(body.length);
            head.append("\r\n");
        } else if (!method.equals("GET")) {
            head.append("Content-Length: 0\r\n");
        }
        head.append("\r\n");
        var request = new ByteArrayOutputStream(head.length() + (body == null ? 0 : body.length));
        request.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        if (body != null) request.writeBytes(body);
        request.writeTo(socket.getOutputStream());
    }

    private String prefix() {
        String path = endpoint.url().getRawPath();
        if (path == null || path.equals("/")) return "";
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** Whether it has carried a request. */
    boolean used() {
        return used;
    }

    /** How long a read may be silent from now on. */
    void patience(Duration timeout) throws IOException {
        socket.setSoTimeout(Math.toIntExact(Math.max(1, timeout.toMillis())));
    }

    @Override
    public void close() {
        closeQuietly(socket);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // Nothing is left to save on a socket that does not even close.
            return;
        }
    }
}
