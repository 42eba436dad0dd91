package fairlead.engines.local.session;

import fairlead.engine.BlockStream;
import fairlead.engine.ExecSession;
import fairlead.engines.local.linux.Descriptor;
import fairlead.engines.local.task.LiveTask;
import fairlead.engines.local.task.LogFile;
import fairlead.job.Exit;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A way to a local task itself: its log as it grows, and the named pipe that it reads where its
 * spec asked for one. Nothing of it is the task's: it goes away without a trace.
 */
final class Attachment implements ExecSession {
    /** How late a line or the end is seen; a person does not notice. */
    private static final Duration LOOK_PERIOD = Duration.ofMillis(50);

    /** 128 + SIGKILL, for a task that was lost with its exit code. */
    private static final int LOST = 137;

    private final LiveTask task;
    private final LogFile log;
    private final Optional<Descriptor> pipe;
    private long offset;
    private volatile boolean closed;

    private Attachment(LiveTask task, LogFile log, long offset, Optional<Descriptor> pipe) {
        this.task = task;
        this.log = log;
        this.offset = offset;
        this.pipe = pipe;
    }

    /** The caller holds the monitor of the task's attempt. */
    static Attachment to(LiveTask task) throws IOException {
        var files = task.attempt.files;
        var log = new LogFile(files.log(task.id));
        var input = files.input(task.id);
        Optional<Descriptor> pipe =
                input.toFile().exists()
                        ? Optional.of(Descriptor.namedPipe(input.toString()))
                        : Optional.empty();
        return new Attachment(task, log, log.end(), pipe);
    }

    private Optional<Exit> exit() {
        synchronized (task.attempt) {
            return Optional.ofNullable(task.exit);
        }
    }

    @Override
    public OutputStream input() {
        return new Input();
    }

    @Override
    public InputStream output() {
        return new Output();
    }

    /** A log does not tell the two apart. */
    @Override
    public InputStream errors() {
        return InputStream.nullInputStream();
    }

    @Override
    public void resize(int rows, int columns) {}

    @Override
    public int await() throws InterruptedException {
        while (!closed) {
            var exit = exit();
            if (exit.isPresent()) return exit.get().code().orElse(LOST);
            Thread.sleep(LOOK_PERIOD);
        }
        return 0;
    }

    @Override
    public void close() {
        closed = true;
        pipe.ifPresent(Descriptor::close);
    }

    /** What the task reads. Its end here is none for the task, to which others may attach. */
    private final class Input extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            if (pipe.isEmpty()) throw new IOException("the task has no standard input");
            int done = 0;
            while (done < length) {
                if (closed || exit().isPresent()) throw new IOException("the task has ended");
                done += pipe.get().write(bytes, offset + done, length - done, LOOK_PERIOD);
            }
        }
    }

    /** What the task writes from now on. */
    private final class Output extends BlockStream {
        @Override
        public int read(byte[] target, int at, int length) throws IOException {
            Objects.checkFromIndexSize(at, length, target.length);
            if (length == 0) return 0;
            while (!closed) {
                // Asked for first: what was written before the end is then still read.
                boolean isOver = exit().isPresent();
                byte[] block = log.read(offset, length);
                if (block.length > 0) {
                    System.arraycopy(block, 0, target, at, block.length);
                    offset += block.length;
                    return block.length;
                }
                // The oldest part may have been dropped before it was read.
                if (log.start() > offset) offset = log.start();
                else if (isOver) return -1;
                else pause();
            }
            return -1;
        }

        private void pause() throws IOException {
            try {
                Thread.sleep(LOOK_PERIOD);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
        }
    }
}
