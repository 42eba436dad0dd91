package fairlead.engines.local.session;

import fairlead.engine.BlockStream;
import fairlead.engine.ExecSession;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

/**
 * A connection to a port of a local task. Each direction ends by itself, and nothing is held here
 * but what the kernel holds.
 */
final class Forwarding implements ExecSession {
    private static final Logger LOG = System.getLogger(Forwarding.class.getName());

    /** On the same machine only a listener that takes no more connections needs any time. */
    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);

    private final Socket socket;
    private final CountDownLatch inputOver = new CountDownLatch(1);
    private final CountDownLatch outputOver = new CountDownLatch(1);

    private Forwarding(Socket socket) {
        this.socket = socket;
    }

    static Forwarding to(String address, int port) throws IOException {
        var socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            var there = new InetSocketAddress(address, port);
            socket.connect(there, Math.toIntExact(CONNECT_MAX.toMillis()));
            return new Forwarding(socket);
        } catch (IOException problem) {
            socket.close();
            throw problem;
        }
    }

    @Override
    public OutputStream input() {
        return new Input();
    }

    @Override
    public InputStream output() {
        return new Output();
    }

    @Override
    public InputStream errors() {
        return InputStream.nullInputStream();
    }

    @Override
    public void resize(int rows, int columns) {}

    @Override
    public int await() throws InterruptedException {
        inputOver.await();
        outputOver.await();
        return 0;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException problem) {
            LOG.log(
                    Level.DEBUG,
                    "a forwarded connection does not close: {0}",
                    problem.getMessage());
        }
        inputOver.countDown();
        outputOver.countDown();
    }

    /** What the port reads. */
    private final class Input extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            socket.getOutputStream().write(bytes, offset, length);
        }

        @Override
        public void close() {
            if (inputOver.getCount() == 0) return;
            try {
                socket.shutdownOutput();
            } catch (IOException _) {
                // The port has gone, so there is nobody left to be told.
                outputOver.countDown();
            }
            inputOver.countDown();
        }
    }

    /** What the port writes. */
    private final class Output extends BlockStream {
        @Override
        public int read(byte[] target, int offset, int length) {
            Objects.checkFromIndexSize(offset, length, target.length);
            try {
                int count = socket.getInputStream().read(target, offset, length);
                if (count < 0) outputOver.countDown();
                return count;
            } catch (IOException _) {
                // A port that breaks off has ended both ways; what it wrote before has been read.
                inputOver.countDown();
                outputOver.countDown();
                return -1;
            }
        }
    }
}
