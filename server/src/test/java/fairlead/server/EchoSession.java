package fairlead.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.ExecSession;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A command in memory that writes what it reads, tells of each resize, and ends with 7 at the end
 * of its input. It holds a few blocks, as a pipe does; whoever writes more waits.
 */
public final class EchoSession implements ExecSession {
    private static final int BLOCKS_MAX = 2;
    private static final byte[] END = new byte[0];

    private final BlockingQueue<byte[]> blocks = new ArrayBlockingQueue<>(BLOCKS_MAX);
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();
    private volatile long taken;
    private volatile boolean closed;

    /** How many bytes it has taken in. */
    public long taken() {
        return taken;
    }

    public boolean isClosed() {
        return closed;
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
                put(Arrays.copyOfRange(bytes, offset, offset + length));
                taken += length;
            }

            @Override
            public void close() throws IOException {
                if (!exit.isDone()) put(END);
            }
        };
    }

    private void put(byte[] block) throws IOException {
        try {
            while (!blocks.offer(block, 10, TimeUnit.MILLISECONDS)) {
                if (closed) throw new IOException("closed");
            }
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
    }

    @Override
    public InputStream output() {
        return new InputStream() {
            private byte[] rest = END;

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                try {
                    while (rest.length == 0) {
                        if (closed || exit.isDone()) return -1;
                        byte[] block = blocks.poll(10, TimeUnit.MILLISECONDS);
                        if (block == END) exit.complete(7);
                        else if (block != null) rest = block;
                    }
                } catch (InterruptedException interrupted) {
                    throw new IOException(interrupted);
                }
                int count = Math.min(length, rest.length);
                System.arraycopy(rest, 0, target, offset, count);
                rest = Arrays.copyOfRange(rest, count, rest.length);
                return count;
            }
        };
    }

    @Override
    public InputStream errors() {
        return InputStream.nullInputStream();
    }

    @Override
    public void resize(int rows, int columns) {
        blocks.add((rows + "x" + columns).getBytes(UTF_8));
    }

    @Override
    public int await() throws InterruptedException {
        try {
            return exit.get();
        } catch (ExecutionException bug) {
            throw new IllegalStateException(bug);
        }
    }

    @Override
    public void close() {
        closed = true;
        exit.complete(137);
    }
}
