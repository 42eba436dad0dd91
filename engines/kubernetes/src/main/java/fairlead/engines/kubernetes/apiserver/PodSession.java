package fairlead.engines.kubernetes.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.BlockStream;
import fairlead.engine.ExecSession;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/** Streams of a pod as a session. What the cluster has to say comes last, among its errors. */
public final class PodSession implements ExecSession {
    private static final int RESIZE = 4;

    private final PodSocket socket;
    private final Channels channels;
    private final Kind kind;

    /** The numbers of the channels. */
    public record Channels(int input, int output, int errors) {
        public static final Channels OF_COMMAND = new Channels(0, 1, 2);

        /** A port has one for both ways; the other is for what the cluster says. */
        public static final Channels OF_PORT = new Channels(0, 0, 1);
    }

    /** In what sessions differ: a command, the task itself, a port. */
    public interface Kind {
        /** There is no more input; may be said twice. */
        void inputEnded() throws IOException;

        /** Asked when the connection has ended. */
        int code() throws InterruptedException;

        /** The same: what there is to say about that, on one line; may be empty. */
        String words();
    }

    public PodSession(PodSocket socket, Channels channels, Kind kind) {
        this.socket = socket;
        this.channels = channels;
        this.kind = kind;
    }

    @Override
    public OutputStream input() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                socket.send(channels.input(), bytes, offset, length);
            }

            @Override
            public void close() throws IOException {
                if (!socket.isOver()) kind.inputEnded();
            }
        };
    }

    @Override
    public InputStream output() {
        return socket.stream(channels.output());
    }

    @Override
    public InputStream errors() {
        return new Errors(socket.stream(channels.errors()));
    }

    @Override
    public void resize(int rows, int columns) {
        String size = "{\"Width\":" + columns + ",\"Height\":" + rows + "}";
        byte[] bytes = size.getBytes(UTF_8);
        try {
            socket.send(RESIZE, bytes, 0, bytes.length);
        } catch (IOException _) {
            // It has ended, which its output shows.
            return;
        }
    }

    @Override
    public int await() throws InterruptedException {
        socket.awaitEnd();
        return kind.code();
    }

    @Override
    public void close() {
        socket.close();
    }

    /** What is written to the channel of errors, and then the cluster's own words. */
    private final class Errors extends BlockStream {
        private final InputStream channel;
        private byte[] words;

        Errors(InputStream channel) {
            this.channel = channel;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (words == null) {
                int count = channel.read(target, offset, length);
                if (count >= 0) return count;
                String said = kind.words();
                words = (said.isEmpty() ? "" : said + "\n").getBytes(UTF_8);
            }
            if (words.length == 0) return -1;
            int count = Math.min(length, words.length);
            System.arraycopy(words, 0, target, offset, count);
            words = Arrays.copyOfRange(words, count, words.length);
            return count;
        }
    }
}
