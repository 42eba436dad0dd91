package fairlead.engines.kubernetes;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The server's side of one WebSocket (RFC 6455). One thread may read while many write.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6455">RFC 6455</a>
 */
final class WebSocketFrames {
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int TEXT = 1;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int MESSAGE_MAX = 4 << 20;

    private final DataInputStream in;
    private final OutputStream out;
    private final String protocol;

    private WebSocketFrames(InputStream in, OutputStream out, String protocol) {
        this.in = new DataInputStream(in);
        this.out = new BufferedOutputStream(out);
        this.protocol = protocol;
    }

    /**
     * Answers the request for an upgrade.
     *
     * @param protocols that this side speaks, the best first; the first that is offered is taken
     */
    static WebSocketFrames accept(
            FrontRequest request, InputStream in, OutputStream out, List<String> protocols)
            throws IOException {
        var offered =
                Arrays.stream(
                                request.headers()
                                        .getOrDefault("sec-websocket-protocol", "")
                                        .split(","))
                        .map(String::strip)
                        .toList();
        String chosen = protocols.stream().filter(offered::contains).findFirst().orElse("");
        String key = request.headers().getOrDefault("sec-websocket-key", "") + MAGIC;
        String head =
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: "
                        + Base64.getEncoder().encodeToString(sha1(key))
                        + "\r\n"
                        + (chosen.isEmpty() ? "" : "Sec-WebSocket-Protocol: " + chosen + "\r\n")
                        + "\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.flush();
        return new WebSocketFrames(in, out, chosen);
    }

    private static byte[] sha1(String text) {
        try {
            return MessageDigest.getInstance("SHA-1")
                    .digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-1", e);
        }
    }

    /** Empty: none was agreed on. */
    String protocol() {
        return protocol;
    }

    /** The next message, joined from its frames; empty when the other side has closed. */
    Optional<byte[]> read() throws IOException {
        var message = new ByteArrayOutputStream();
        while (true) {
            int first = in.read();
            if (first < 0) return Optional.empty();
            int second = in.readUnsignedByte();
            long length = second & 0x7f;
            if (length == 126) length = in.readUnsignedShort();
            else if (length == 127) length = in.readLong();
            if (length < 0 || message.size() + length > MESSAGE_MAX) {
                throw new IOException("a message is too long: " + length);
            }
            byte[] mask = (second & 0x80) == 0 ? new byte[4] : FrontRequest.exactly(in, 4);
            byte[] payload = FrontRequest.exactly(in, (int) length);
            for (int i = 0; i < payload.length; i++) payload[i] ^= mask[i % 4];
            switch (first & 0x0f) {
                case CLOSE -> {
                    return Optional.empty();
                }
                case PING -> write(PONG, payload, payload.length);
                case PONG -> {}
                default -> {
                    message.write(payload);
                    if ((first & 0x80) != 0) return Optional.of(message.toByteArray());
                }
            }
        }
    }

    void text(String message) throws IOException {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        write(TEXT, bytes, bytes.length);
    }

    /** A message of a channel, as the streams of pods have them. */
    void send(int channel, byte[] bytes, int length) throws IOException {
        byte[] message = new byte[length + 1];
        message[0] = (byte) channel;
        System.arraycopy(bytes, 0, message, 1, length);
        write(BINARY, message, message.length);
    }

    /** Says that all went as it should (code 1000). */
    void close() throws IOException {
        write(CLOSE, new byte[] {0x03, (byte) 0xe8}, 2);
    }

    private synchronized void write(int kind, byte[] bytes, int length) throws IOException {
        var head = ByteBuffer.allocate(10).put((byte) (0x80 | kind));
        if (length < 126) head.put((byte) length);
        else if (length < 1 << 16) head.put((byte) 126).putShort((short) length);
        else head.put((byte) 127).putLong(length);
        out.write(head.array(), 0, head.position());
        out.write(bytes, 0, length);
        out.flush();
    }
}
