package fairlead.api.client;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.Optional;

/**
 * The way to a command beside a task, to the task or to its port. One thread reads; any may send.
 */
public final class ExecChannel implements Closeable {
    private final HttpConnection connection;
    private final InputStream in;
    private final boolean readsInput;

    ExecChannel(HttpConnection connection, HttpResponse response, boolean readsInput)
            throws Unreachable {
        this.connection = connection;
        this.in = response.body();
        this.readsInput = readsInput;
        try {
            connection.patience(EventStream.SILENCE_MAX);
        } catch (IOException e) {
            throw new Unreachable("the connection broke (" + e.getMessage() + ")", e);
        }
    }

    /** Whether anybody reads what is sent. */
    public boolean readsInput() {
        return readsInput;
    }

    /** Waits where the command does not read what it is sent. */
    public synchronized void send(Frame frame) throws IOException {
        connection.write(frame.bytes());
    }

    /** The next frame; empty when the server has hung up. */
    public Optional<Frame> next() throws Unreachable {
        try {
            return Optional.of(Frame.read(in));
        } catch (EOFException _) {
            return Optional.empty();
        } catch (SocketTimeoutException e) {
            throw new Unreachable(
                    "nothing heard for " + EventStream.SILENCE_MAX.toSeconds() + " s", e);
        } catch (IOException e) {
            throw new Unreachable("the connection broke (" + e.getMessage() + ")", e);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
