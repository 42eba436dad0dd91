package fairlead.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.regex.Pattern;

/**
 * HTTP/1.1 in which a chunk has a size in digits alone and ends with a line break. The library
 * takes sizes such as {@code +2}, and passes over two bytes after each chunk whatever they are. The
 * head of a request comes in time here, too.
 *
 * @param plain has {@link Framing} and {@link Answering} as its listeners
 * @param headPatience from the first byte of a request's head to its last
 */
record StrictChunks(ServerConnectionSelector plain, Duration headPatience)
        implements ServerConnectionSelector {
    @Override
    public int bytesToIdentifyConnection() {
        return plain.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return plain.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return plain.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        var timer = new HeadTimer(context, headPatience);
        return plain.connection(new Strict(context, timer, new Reader(timer)));
    }

    /** The head of a request is complete. */
    static void headEnded(ConnectionContext context) {
        if (context instanceof Strict strict) strict.timer().ended();
    }

    /** An answer goes out. */
    static void answered(ConnectionContext context) {
        if (context instanceof Strict strict)
            strict.timer().answered(strict.dataReader().available() > 0);
    }

    /** The same bytes, of which two that are passed over must be a line break. */
    private static final class Reader extends DataReader {
        private static final Pattern SIZE = Pattern.compile("[0-9a-fA-F]{0,8}");
        private static final int LINE_BREAK_BYTES = 2;

        /** What is left of a request that was refused is not read as if it were chunks. */
        private boolean isRefused;

        Reader(HeadTimer timer) {
            super(timer);
        }

        @Override
        public void skip(int bytes) {
            refuseAgain();
            if (bytes == LINE_BREAK_BYTES && !startsWithNewLine())
                throw refused("a chunk does not end where its size says");
            super.skip(bytes);
        }

        /** Only chunks are read by lines: the size of one, and the empty line after the last. */
        @Override
        public String readLine() {
            refuseAgain();
            String line = super.readLine();
            if (!SIZE.matcher(line).matches()) throw refused("the size of a chunk is bad");
            return line;
        }

        private RuntimeException refused(String words) {
            isRefused = true;
            return Framing.refused(words);
        }

        private void refuseAgain() {
            if (isRefused) throw Framing.refused("a chunk was refused");
        }

        // Those below read their bytes and then pass over them.

        @Override
        public BufferData readBuffer() {
            ensureAvailable();
            return readBuffer(available());
        }

        @Override
        public BufferData readBuffer(int length) {
            refuseAgain();
            BufferData data = getBuffer(length);
            super.skip(length);
            return data;
        }
    }

    /** A connection with another reader. */
    private record Strict(ConnectionContext plain, HeadTimer timer, DataReader dataReader)
            implements ConnectionContext {
        @Override
        public ListenerContext listenerContext() {
            return plain.listenerContext();
        }

        @Override
        public ExecutorService executor() {
            return plain.executor();
        }

        @Override
        public DataWriter dataWriter() {
            return plain.dataWriter();
        }

        @Override
        public Router router() {
            return plain.router();
        }

        @Override
        public Optional<ProxyProtocolData> proxyProtocolData() {
            return plain.proxyProtocolData();
        }

        @Override
        public HelidonSocket serverSocket() {
            return plain.serverSocket();
        }

        @Override
        public PeerInfo remotePeer() {
            return plain.remotePeer();
        }

        @Override
        public PeerInfo localPeer() {
            return plain.localPeer();
        }

        @Override
        public boolean isSecure() {
            return plain.isSecure();
        }

        @Override
        public String socketId() {
            return plain.socketId();
        }

        @Override
        public String childSocketId() {
            return plain.childSocketId();
        }
    }
}
