package fairlead.engines.yarn.relay;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;

/**
 * A piece of a session with a command: what it reads and writes, and what happens to it.
 *
 * @param kind one of the constants
 */
public record Frame(byte kind, byte[] bytes) {
    /** To the command: what it reads; nothing is the end. */
    public static final byte INPUT = 0;

    /** To the command: its terminal has other rows and columns, two bytes each. */
    public static final byte SIZE = 1;

    /** Of the command. */
    public static final byte OUTPUT = 2;

    /** Of the command. */
    public static final byte ERRORS = 3;

    /** Of the command, the last: its exit code, four bytes. */
    public static final byte EXIT = 4;

    private static final int BYTES_MAX = 64 << 10;

    /** Several threads may write to one stream. */
    public static void write(DataOutputStream out, byte kind, byte[] bytes, int length)
            throws IOException {
        synchronized (out) {
            out.writeByte(kind);
            out.writeInt(length);
            out.write(bytes, 0, length);
            out.flush();
        }
    }

    /**
     * @throws EOFException when the other side has gone
     */
    public static Frame read(DataInputStream in) throws IOException {
        byte kind = in.readByte();
        int length = in.readInt();
        if (length < 0 || length > BYTES_MAX) throw new IOException("a frame of " + length);
        var bytes = new byte[length];
        in.readFully(bytes);
        return new Frame(kind, bytes);
    }
}
