package fairlead.api.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * One message between a user's command and one that runs beside a task, or the task itself, or a
 * port of it: a byte for its kind, four for its length, then as many of payload.
 */
public record Frame(Kind kind, byte[] payload) {
    /** What a payload is. The order is the number on the wire. */
    public enum Kind {
        /** What the command shall read; an empty one is the end of its input. */
        INPUT,
        /** What it wrote to its standard output; an empty one is the end of that. */
        OUTPUT,
        /** What it wrote to its standard error. */
        ERRORS,
        /** Rows and columns of the terminal, four bytes each. */
        RESIZE,
        /** Its exit code in four bytes; nothing follows. */
        EXIT,
        /** Words for the user, in UTF-8; if no exit code follows, it is why there is none. */
        FAILURE,
        /** Nothing: whoever sends it lives. */
        BEAT
    }

    /** The name of all this in the header Upgrade. */
    public static final String PROTOCOL = "fairlead-exec";

    /** As much as a pipe holds; a longer one is no frame of ours. */
    public static final int PAYLOAD_BYTES_MAX = 64 * 1024;

    private static final int HEAD_BYTES = 5;

    public Frame {
        if (payload.length > PAYLOAD_BYTES_MAX)
            throw new IllegalArgumentException("too long for a frame: " + payload.length);
    }

    public static Frame beat() {
        return new Frame(Kind.BEAT, new byte[0]);
    }

    public static Frame exit(int code) {
        return new Frame(Kind.EXIT, ByteBuffer.allocate(4).putInt(code).array());
    }

    public static Frame failure(String words) {
        return new Frame(Kind.FAILURE, words.getBytes(StandardCharsets.UTF_8));
    }

    public static Frame resize(int rows, int columns) {
        return new Frame(Kind.RESIZE, ByteBuffer.allocate(8).putInt(rows).putInt(columns).array());
    }

    /** A number of the payload, counted from 0. */
    public int number(int index) throws IOException {
        if (payload.length < 4 * index + 4) throw new IOException("a frame is too short");
        return ByteBuffer.wrap(payload).getInt(4 * index);
    }

    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    public byte[] bytes() {
        var bytes = ByteBuffer.allocate(HEAD_BYTES + payload.length);
        return bytes.put((byte) kind.ordinal()).putInt(payload.length).put(payload).array();
    }

    /** Throws {@link EOFException} when the peer has hung up. */
    public static Frame read(InputStream in) throws IOException {
        byte[] head = in.readNBytes(HEAD_BYTES);
        if (head.length < HEAD_BYTES) throw new EOFException("the peer hung up");
        int kind = head[0];
        int length = ByteBuffer.wrap(head).getInt(1);
        if (kind < 0 || kind >= Kind.values().length)
            throw new IOException("unknown kind of frame: " + kind);
        if (length < 0 || length > PAYLOAD_BYTES_MAX)
            throw new IOException("a frame is too long: " + length);
        byte[] payload = in.readNBytes(length);
        if (payload.length < length) throw new EOFException("the peer hung up within a frame");
        return new Frame(Kind.values()[kind], payload);
    }
}
