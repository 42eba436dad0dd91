package fairlead.server.http;

import fairlead.api.ErrorBody;
import fairlead.api.ErrorCode;
import fairlead.wire.Json;

import io.helidon.common.buffers.BufferData;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The bytes of a connection, of which the head of a request must come in time once it has begun:
 * the library itself waits for the rest of one as long as for the next request. Whoever is late is
 * told so, and the connection goes. For the thread of the connection.
 */
final class HeadTimer implements Supplier<byte[]> {
    private enum Phase {
        /** Nothing of the next request has come: a peer may keep its connection. */
        BETWEEN,
        HEAD,
        /** The body, or what an upgraded connection carries. */
        REST
    }

    private final ConnectionContext context;
    private final Duration patience;
    private Phase phase = Phase.BETWEEN;
    private long began;

    HeadTimer(ConnectionContext context, Duration patience) {
        this.context = context;
        this.patience = patience;
    }

    @Override
    public byte[] get() {
        byte[] bytes = phase == Phase.HEAD ? readInTime() : read();
        if (phase == Phase.BETWEEN) begin();
        return bytes;
    }

    private void begin() {
        phase = Phase.HEAD;
        began = System.nanoTime();
    }

    /** The head is complete. */
    void ended() {
        phase = Phase.REST;
    }

    /**
     * An answer goes out, so that the next request may begin.
     *
     * @param hasBytes whether something of it has come already
     */
    void answered(boolean hasBytes) {
        phase = Phase.BETWEEN;
        if (hasBytes) begin();
    }

    private byte[] read() {
        return context.dataReader().readBuffer().readBytes();
    }

    /** Rare, as a head seldom comes in pieces: so a thread for each such wait is cheap. */
    private byte[] readInTime() {
        Duration left = patience.minusNanos(System.nanoTime() - began);
        var isOver = new AtomicBoolean();
        Thread alarm =
                Thread.startVirtualThread(
                        () -> {
                            try {
                                Thread.sleep(left.isNegative() ? Duration.ZERO : left);
                                if (isOver.compareAndSet(false, true)) refuse();
                            } catch (InterruptedException _) {
                                // It has come.
                            }
                        });
        try {
            byte[] bytes = read();
            if (!isOver.compareAndSet(false, true)) throw late(null);
            return bytes;
        } catch (RuntimeException failure) {
            if (isOver.get()) throw late(failure);
            throw failure;
        } finally {
            alarm.interrupt();
        }
    }

    private static CloseConnectionException late(RuntimeException failure) {
        return new CloseConnectionException("the head of a request did not come in time", failure);
    }

    /** From another thread: the one of the connection waits for bytes and writes nothing. */
    private void refuse() {
        String words =
                "the head of the request was not complete after %d s"
                        .formatted(patience.toSeconds());
        byte[] body = Json.writeBytes(new ErrorBody(ErrorCode.INVALID.word(), words, null, null));
        String head =
                "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                        .formatted(body.length);
        try {
            context.dataWriter()
                    .writeNow(
                            BufferData.create(head.getBytes(StandardCharsets.US_ASCII)),
                            BufferData.create(body));
        } finally {
            context.serverSocket().close();
        }
    }
}
