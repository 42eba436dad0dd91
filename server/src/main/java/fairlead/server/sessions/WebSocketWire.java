package fairlead.server.sessions;

import fairlead.engine.BlockStream;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * Frames of a session inside the messages of a WebSocket (RFC 6455), which is all that a browser
 * can open. Messages only carry the bytes: where a frame begins, its own head says. No extension is
 * agreed on, and nobody but us sends pings.
 */
final class WebSocketWire implements Wire {
    static final String PROTOCOL = "websocket";

    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int BINARY = 0x82;
    private static final int CLOSE = 0x8;
    private static final int MASKED = 0x80;
    private static final int LENGTH_16 = 126;
    private static final int LENGTH_64 = 127;

    /** A frame of ours and its head; a browser's page sends no more at once. */
    private static final int MESSAGE_BYTES_MAX = 128 * 1024;

    /** What proves to a browser that we mean what it asked for. */
    static String accept(String key) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-1")
                            .digest((key + MAGIC).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    @Override
    public byte[] wrapped(byte[] frame) {
        var message = new ByteArrayOutputStream(frame.length + 10);
        message.write(BINARY);
        if (frame.length < LENGTH_16) {
            message.write(frame.length);
        } else if (frame.length <= 0xFFFF) {
            message.write(LENGTH_16);
            message.writeBytes(ByteBuffer.allocate(2).putShort((short) frame.length).array());
        } else {
            message.write(LENGTH_64);
            message.writeBytes(ByteBuffer.allocate(8).putLong(frame.length).array());
        }
        message.writeBytes(frame);
        return message.toByteArray();
    }

    @Override
    public InputStream unwrapped(InputStream from) {
        return new Payloads(from);
    }

    /** The bytes of all messages, one after the other. */
    private static final class Payloads extends BlockStream {
        private final InputStream from;
        private byte[] message = new byte[0];
        private int at;

        Payloads(InputStream from) {
            this.from = from;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (length == 0) return 0;
            while (at == message.length) {
                if (!next()) return -1;
            }
            int count = Math.min(length, message.length - at);
            System.arraycopy(message, at, target, offset, count);
            at += count;
            return count;
        }

        /** Reads one message; false when the browser has hung up. */
        private boolean next() throws IOException {
            int kind = from.read();
            if (kind < 0) return false;
            int lengths = need(from.read());
            if ((lengths & MASKED) == 0) throw new IOException("a browser masks what it sends");
            long length = lengths & ~MASKED;
            if (length == LENGTH_16) length = ByteBuffer.wrap(exactly(2)).getShort() & 0xFFFF;
            else if (length == LENGTH_64) length = ByteBuffer.wrap(exactly(8)).getLong();
            if (length < 0 || length > MESSAGE_BYTES_MAX)
                throw new IOException("a message is too long: " + length);
            byte[] mask = exactly(4);
            byte[] bytes = exactly((int) length);
            for (int i = 0; i < bytes.length; i++) bytes[i] ^= mask[i % 4];
            int opcode = kind & 0x0F;
            if (opcode == CLOSE) return false;
            // Text, binary and what continues them; pings and pongs say nothing.
            if (opcode < CLOSE) {
                message = bytes;
                at = 0;
            }
            return true;
        }

        private byte[] exactly(int count) throws IOException {
            byte[] bytes = from.readNBytes(count);
            if (bytes.length < count) throw new EOFException("the browser hung up in a message");
            return bytes;
        }

        private static int need(int value) throws IOException {
            if (value < 0) throw new EOFException("the browser hung up in a message");
            return value;
        }
    }
}
