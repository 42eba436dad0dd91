package fairlead.engines.yarn;

import fairlead.engine.ExecSession;
import fairlead.engines.yarn.relay.Call;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;

/** A port of a task, or what the task writes: plain bytes over its keeper. */
final class StreamSession implements ExecSession {
    /** How it ended; waits for the end. */
    interface End {
        int await() throws InterruptedException;
    }

    private final Call call;
    private final End end;
    private final CountDownLatch hasEnded = new CountDownLatch(1);
    private final InputStream output;
    private final OutputStream input;

    /**
     * @param hasInput false: what is written goes nowhere
     * @param end asked once the output has ended
     */
    StreamSession(Call call, boolean hasInput, End end) {
        this.call = call;
        this.end = end;
        this.output =
                new FilterInputStream(call.in()) {
                    @Override
                    public int read() throws IOException {
                        var one = new byte[1];
                        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
                    }

                    @Override
                    public int read(byte[] bytes, int offset, int length) throws IOException {
                        try {
                            int count = super.read(bytes, offset, length);
                            if (count < 0) hasEnded.countDown();
                            return count;
                        } catch (IOException broken) {
                            hasEnded.countDown();
                            throw broken;
                        }
                    }

                    @Override
                    public void close() {
                        hasEnded.countDown();
                    }
                };
        this.input =
                hasInput
                        ? new FilterOutputStream(call.out()) {
                            @Override
                            public void write(byte[] bytes, int offset, int length)
                                    throws IOException {
                                out.write(bytes, offset, length);
                                out.flush();
                            }

                            @Override
                            public void close() throws IOException {
                                call.endOutput();
                            }
                        }
                        : OutputStream.nullOutputStream();
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
        return InputStream.nullInputStream();
    }

    @Override
    public void resize(int rows, int columns) {
        // There is no terminal.
    }

    @Override
    public int await() throws InterruptedException {
        hasEnded.await();
        return end.await();
    }

    @Override
    public void close() {
        hasEnded.countDown();
        call.close();
    }
}
