package fairlead.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A buffered text stream towards the shell, in UTF-8. It is thread-safe. */
public final class Output extends OutputStream {
    private static final int BUFFER_BYTES = 32 * 1024;
    private final OutputStream stream;

    public Output(OutputStream stream) {
        this.stream = new BufferedOutputStream(stream, BUFFER_BYTES);
    }

    /** The reader has gone away, as {@code head} does: the command ends without a word. */
    public static final class Closed extends IOException {
        private static final long serialVersionUID = 1;

        Closed(IOException cause) {
            super("the output is closed", cause);
        }
    }

    public void print(String text) throws Closed {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        write(bytes, 0, bytes.length);
    }

    public void line(String text) throws Closed {
        print(text + "\n");
    }

    @Override
    public synchronized void write(int b) throws Closed {
        try {
            stream.write(b);
        } catch (IOException e) {
            throw new Closed(e);
        }
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws Closed {
        try {
            stream.write(bytes, offset, length);
        } catch (IOException e) {
            throw new Closed(e);
        }
    }

    @Override
    public synchronized void flush() throws Closed {
        try {
            stream.flush();
        } catch (IOException e) {
            throw new Closed(e);
        }
    }
}
