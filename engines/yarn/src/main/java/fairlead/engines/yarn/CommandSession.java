package fairlead.engines.yarn;

import fairlead.engine.ExecSession;
import fairlead.engines.yarn.relay.Call;
import fairlead.engines.yarn.relay.Frame;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A command beside a task, over its keeper. */
final class CommandSession implements ExecSession {
    /** Of a command whose way broke off: as a signal that ends whoever has lost its terminal. */
    private static final int HANGUP = 129;

    private static final int PIECE_BYTES = 32 << 10;

    private final Call call;
    private final ByteQueue output = new ByteQueue();
    private final ByteQueue errors = new ByteQueue();
    private final CompletableFuture<Integer> code = new CompletableFuture<>();

    CommandSession(Call call) {
        this.call = call;
        Thread.startVirtualThread(this::receive);
    }

    private void receive() {
        int ended = HANGUP;
        try {
            Frame frame = Frame.read(call.in());
            while (frame.kind() != Frame.EXIT) {
                (frame.kind() == Frame.OUTPUT ? output : errors).put(frame.bytes());
                frame = Frame.read(call.in());
            }
            ended = ByteBuffer.wrap(frame.bytes()).getInt();
        } catch (IOException _) {
            // The task, its master or the way to them has gone, and the command with it.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        try {
            output.end();
            errors.end();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        code.complete(ended);
    }

    private final OutputStream input =
            new OutputStream() {
                @Override
                public void write(int value) throws IOException {
                    write(new byte[] {(byte) value}, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    for (int at = offset; at < offset + length; at += PIECE_BYTES) {
                        int end = Math.min(offset + length, at + PIECE_BYTES);
                        send(Frame.INPUT, Arrays.copyOfRange(bytes, at, end));
                    }
                }

                @Override
                public void close() throws IOException {
                    send(Frame.INPUT, new byte[0]);
                }
            };

    private void send(byte kind, byte[] bytes) throws IOException {
        Frame.write(call.out(), kind, bytes, bytes.length);
    }

    @Override
    public OutputStream input() {
        return input;
    }

    @Override
    public InputStream output() {
        return output;
    }

    @Override
    public InputStream errors() {
        return errors;
    }

    @Override
    public void resize(int rows, int columns) {
        try {
            var size = ByteBuffer.allocate(2 * Short.BYTES);
            send(Frame.SIZE, size.putShort((short) rows).putShort((short) columns).array());
        } catch (IOException _) {
            // It has ended.
        }
    }

    @Override
    public int await() throws InterruptedException {
        try {
            return code.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        call.close();
        output.close();
        errors.close();
    }
}
