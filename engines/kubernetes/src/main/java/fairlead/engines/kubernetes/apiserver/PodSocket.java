package fairlead.engines.kubernetes.apiserver;

import fairlead.engine.BlockStream;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.WebSocket;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * A WebSocket to the streams of a pod, which are numbered channels: the first byte of each message
 * is its channel. No message is asked for while a channel is full, so a slow reader holds the pod
 * back and little piles up here. Each channel is read by one thread; any may send.
 */
public final class PodSocket implements WebSocket.Listener {
    /** As long as a plain call may take with its repeats. */
    private static final int ANSWER_SECONDS_MAX = 10;

    /** As large as the API server's own. */
    private static final int PIECE_BYTES = 32 * 1024;

    /** How late the end is noticed by a reader that waits. */
    private static final Duration LOOK_PERIOD = Duration.ofMillis(50);

    /** The network takes a piece in less; a pod that reads slowly needs any time. */
    private static final Duration SEND_PAUSE = Duration.ofNanos(200_000);

    /** A status is a short text. */
    private static final int STATUS_BYTES_MAX = 64 * 1024;

    /** Announces the end of another channel, in the fifth version of the protocol. */
    private static final int CLOSE = 255;

    private static final int GOING_WELL = 1000;

    /** Of at most a piece each: as much as a few pipes hold. */
    private static final int MESSAGES_MAX = 8;

    private final Map<Integer, BlockingQueue<byte[]>> streams = new HashMap<>();
    private final StringBuffer status = new StringBuffer();
    private final CountDownLatch over = new CountDownLatch(1);
    private final Map<Integer, Integer> toSkip = new HashMap<>();
    private volatile WebSocket socket;

    /** Whether no message is asked for, because a channel is full. */
    private boolean isHeldBack;

    private volatile Optional<String> trouble = Optional.empty();
    private volatile boolean left;
    private volatile long lastMoved = System.nanoTime();

    /**
     * @param channels those that are read as streams; all others are kept as the status
     * @param skip how many bytes at the start of each stream are not its own
     */
    private PodSocket(List<Integer> channels, int skip) {
        for (int channel : channels) {
            streams.put(channel, new ArrayBlockingQueue<>(MESSAGES_MAX));
            toSkip.put(channel, skip);
        }
    }

    /** Throws the client's own exceptions as causes where the API server has said no. */
    public static PodSocket open(
            HttpClient client, URI uri, String protocol, List<Integer> channels, int skip)
            throws IOException {
        var fresh = new PodSocket(channels, skip);
        var opening =
                client.newWebSocketBuilder()
                        .uri(WebSocket.toWebSocketUri(uri))
                        .subprotocol(protocol)
                        .buildAsync(fresh);
        try {
            fresh.socket = opening.get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
            return fresh;
        } catch (ExecutionException refused) {
            throw new IOException(Problems.line(refused.getCause()), refused.getCause());
        } catch (TimeoutException late) {
            opening.thenAccept(socket -> socket.sendClose(GOING_WELL, ""));
            throw new IOException("no answer in time", late);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted");
        }
    }

    @Override
    public void onMessage(WebSocket from, String text) {
        onMessage(from, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void onMessage(WebSocket from, ByteBuffer message) {
        int channel = message.hasRemaining() ? message.get() & 0xff : -1;
        byte[] payload = new byte[message.remaining()];
        message.get(payload);
        lastMoved = System.nanoTime();
        if (streams.containsKey(channel)) take(channel, payload);
        else if (status.length() < STATUS_BYTES_MAX)
            status.append(new String(payload, StandardCharsets.UTF_8));
        synchronized (streams) {
            isHeldBack = isFull();
            if (isHeldBack) return;
        }
        from.request();
    }

    /** An empty message only shows that its channel is there. */
    private void take(int channel, byte[] payload) {
        int skipped = Math.min(toSkip.get(channel), payload.length);
        toSkip.merge(channel, -skipped, Integer::sum);
        if (payload.length > skipped)
            streams.get(channel).add(Arrays.copyOfRange(payload, skipped, payload.length));
    }

    private boolean isFull() {
        return streams.values().stream().anyMatch(each -> each.remainingCapacity() == 0);
    }

    /** After a message has been read. */
    private void goOn() {
        lastMoved = System.nanoTime();
        synchronized (streams) {
            if (!isHeldBack || isFull()) return;
            isHeldBack = false;
        }
        socket.request();
    }

    @Override
    public void onClose(WebSocket from, int code, String reason) {
        over.countDown();
    }

    @Override
    public void onError(WebSocket from, Throwable problem) {
        trouble = Optional.of(Problems.line(problem));
        over.countDown();
    }

    /** Waits until the other side takes it. */
    public synchronized void send(int channel, byte[] bytes, int offset, int length)
            throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        for (int at = offset; at < offset + length; at += PIECE_BYTES) {
            int count = Math.min(PIECE_BYTES, offset + length - at);
            var message = ByteBuffer.allocate(count + 1).put((byte) channel).put(bytes, at, count);
            pass(message.flip());
        }
    }

    /** Tells the other side that a channel has ended, if it knows how to hear that. */
    public synchronized void end(int channel) throws IOException {
        pass(ByteBuffer.wrap(new byte[] {(byte) CLOSE, (byte) channel}));
    }

    private void pass(ByteBuffer message) throws IOException {
        if (isOver() || !socket.send(message)) throw new IOException("the connection has ended");
        // The client takes one message at a time, and says no to a second.
        while (socket.queueSize() > 0 && !isOver()) LockSupport.parkNanos(SEND_PAUSE.toNanos());
    }

    public boolean isOver() {
        return over.getCount() == 0;
    }

    public void awaitEnd() throws InterruptedException {
        over.await();
    }

    /** Why the connection broke; empty when it ended in order. */
    public Optional<String> trouble() {
        return trouble;
    }

    /** Whether it ended because this side has closed it. */
    public boolean isLeft() {
        return left;
    }

    /** For how long nothing has come, while somebody was ready to take it. */
    public Duration quiet() {
        boolean isUnread = streams.values().stream().anyMatch(each -> !each.isEmpty());
        return isUnread ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - lastMoved);
    }

    public String status() {
        return status.toString();
    }

    public void close() {
        if (isOver()) return;
        left = true;
        over.countDown();
        socket.sendClose(GOING_WELL, "");
    }

    public InputStream stream(int channel) {
        return new Channel(streams.get(channel));
    }

    /** What comes on one channel, to its end or the connection's. */
    private final class Channel extends BlockStream {
        private final BlockingQueue<byte[]> messages;
        private byte[] rest = new byte[0];

        Channel(BlockingQueue<byte[]> messages) {
            this.messages = messages;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, target.length);
            if (length == 0) return 0;
            while (rest.length == 0) {
                // Asked for first: what came before the end is then still read.
                boolean isOver = isOver();
                byte[] message = next();
                if (message == null && isOver) return -1;
                if (message == null) continue;
                rest = message;
                goOn();
            }
            int count = Math.min(length, rest.length);
            System.arraycopy(rest, 0, target, offset, count);
            rest = Arrays.copyOfRange(rest, count, rest.length);
            return count;
        }

        /** Null when nothing came for a while. */
        private byte[] next() throws IOException {
            try {
                return messages.poll(LOOK_PERIOD.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted");
            }
        }
    }
}
