package fairlead.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;

/** A client that sends bytes as they are, right or wrong. */
public final class RawClient {
    /** Longer than any answer takes; a server that keeps a connection open fails the test then. */
    private static final int PATIENCE_MILLIS = 10_000;

    private RawClient() {}

    /** All that the server answers until it closes the connection. */
    public static String exchange(TestServer server, String request) throws IOException {
        var address = URI.create(server.url());
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            var answer = new StringBuilder();
            try {
                for (int next; (next = socket.getInputStream().read()) >= 0; )
                    answer.append((char) next);
            } catch (SocketException _) {
                // Closed with bytes of ours unread: what was answered before has arrived.
            }
            return answer.toString();
        }
    }

    /** The status of the first answer; the connection is ours to close. */
    public static int ask(TestServer server, String request) throws IOException {
        var address = URI.create(server.url());
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            var in = new InputStreamReader(socket.getInputStream(), ISO_8859_1);
            return status(new BufferedReader(in).readLine());
        }
    }

    /** The number in the first line of an answer. */
    public static int status(String answer) {
        return Integer.parseInt(answer.split(" ", 3)[1]);
    }
}
