package fairlead.server.sessions;

import fairlead.api.client.Frame;
import fairlead.engine.BlockStream;
import fairlead.engine.ExecRequest;
import fairlead.engine.ExecSession;
import fairlead.server.http.Streams;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Carries the frames of one session until it ends or its user goes away, which ends it. The
 * connection's thread is the only one that writes; others bring it what the command wrote, and wait
 * when the user is slow, and so does then the command: somebody may read its output page by page,
 * so no write is taken for stuck while the user's side still sends its beats.
 */
public final class ExecConnection implements ServerConnection {
    /** What is under way to a slow user, besides what pipe and socket hold. */
    private static final int FRAMES_MAX = 4;

    /** 128 + SIGKILL. */
    private static final int KILLED = 137;

    private static final int BLOCK_BYTES = 32 * 1024;

    /** How late a stop of the server and a token that works no more are noticed. */
    private static final Duration LOOK_PERIOD = Duration.ofMillis(250);

    private final ConnectionContext context;
    private final ExecSessions sessions;
    private final ExecSessions.Open open;
    private final ExecSession session;
    private final Streams streams;
    private final BooleanSupplier tokenWorks;
    private final Wire wire;
    private final BlockingQueue<Frame> frames = new ArrayBlockingQueue<>(FRAMES_MAX);
    private final CountDownLatch written = new CountDownLatch(2);
    private volatile boolean over;
    private volatile Thread owner;

    /** Since when the next frame of the user is awaited; 0 while one is being obeyed. */
    private volatile long listeningSince;

    private long lastWrite = System.nanoTime();

    ExecConnection(
            ConnectionContext context,
            ExecSessions sessions,
            ExecSessions.Open open,
            Streams streams,
            BooleanSupplier tokenWorks,
            Wire wire) {
        this.wire = wire;
        this.context = context;
        this.sessions = sessions;
        this.open = open;
        this.session = open.session();
        this.streams = streams;
        this.tokenWorks = tokenWorks;
    }

    @Override
    public void handle(Limit limit) {
        owner = Thread.currentThread();
        try {
            // Calls into the kernel would hold the carriers of virtual threads.
            platform("output", () -> copy(session.output(), Frame.Kind.OUTPUT));
            platform("errors", () -> copy(session.errors(), Frame.Kind.ERRORS));
            platform("exit", this::awaitExit);
            platform("input", this::obey);
            send();
        } catch (InterruptedException | UncheckedIOException _) {
            // The user has gone away, or the server stops: either way nobody is left to be told.
            over = true;
        } finally {
            over = true;
            sessions.end(open);
        }
    }

    private void platform(String name, Runnable work) {
        Thread.ofPlatform().daemon().name("exec-" + name).start(work);
    }

    private void send() throws InterruptedException {
        while (true) {
            Frame frame = frames.poll(LOOK_PERIOD.toMillis(), TimeUnit.MILLISECONDS);
            boolean isLast = frame != null && frame.kind() == Frame.Kind.EXIT;
            if (streams.isClosed() || !tokenWorks.getAsBoolean()) {
                isLast = true;
                frame = Frame.failure(farewell());
            }
            if (isDeserted()) return;
            if (frame == null && isSilent()) frame = Frame.beat();
            if (frame == null) continue;
            write(frame);
            if (isLast) return;
        }
    }

    private boolean isDeserted() {
        long since = listeningSince;
        return since != 0 && System.nanoTime() - since > sessions.silenceMax().toNanos();
    }

    private String farewell() {
        return streams.isClosed() ? "the server is stopping" : "the token works no more";
    }

    private boolean isSilent() {
        return System.nanoTime() - lastWrite > streams.heartbeat().toNanos();
    }

    private void write(Frame frame) {
        context.dataWriter().writeNow(BufferData.create(wire.wrapped(frame.bytes())));
        lastWrite = System.nanoTime();
    }

    private void copy(InputStream from, Frame.Kind kind) {
        byte[] block = new byte[BLOCK_BYTES];
        try (from) {
            for (int count = from.read(block); count > 0; count = from.read(block)) {
                if (!bring(new Frame(kind, Arrays.copyOf(block, count)))) return;
            }
            // A forwarded connection may have said all and still want to hear the rest.
            if (kind == Frame.Kind.OUTPUT) bring(new Frame(kind, new byte[0]));
        } catch (IOException problem) {
            bring(Frame.failure("what the task writes cannot be read: " + problem.getMessage()));
        } finally {
            written.countDown();
        }
    }

    /** Waits for room; false when nobody takes frames any more. */
    private boolean bring(Frame frame) {
        try {
            while (!over) {
                if (frames.offer(frame, LOOK_PERIOD.toMillis(), TimeUnit.MILLISECONDS)) return true;
                // The owner may be stuck in a write; an interrupt closes its socket.
                if (isDeserted()) owner.interrupt();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /** The exit code goes out last: the user's command ends when it hears it. */
    private void awaitExit() {
        try {
            int code = session.await();
            written.await();
            boolean mayHaveDiedWithTask = open.kind == ExecSessions.Kind.COMMAND && code == KILLED;
            if (mayHaveDiedWithTask && !open.taskRuns())
                bring(
                        Frame.failure(
                                open.task
                                        + " of "
                                        + open.job
                                        + " has ended, and this session with it"));
            bring(Frame.exit(code));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does what the user's command says, until that goes away. */
    private void obey() {
        try (var in = wire.unwrapped(new Incoming(context.dataReader()));
                var input = session.input()) {
            while (!over) {
                listeningSince = System.nanoTime() | 1;
                Frame frame = Frame.read(in);
                listeningSince = 0;
                switch (frame.kind()) {
                    case INPUT -> pass(frame, input);
                    case RESIZE -> resize(frame.number(0), frame.number(1));
                    case BEAT -> {}
                    case OUTPUT, ERRORS, EXIT, FAILURE ->
                            throw new IOException("not for a server: " + frame.kind());
                }
            }
        } catch (IOException | RuntimeException _) {
            // Nobody is there any more, or somebody who does not speak our language.
            if (!over) owner.interrupt();
        }
    }

    private static void pass(Frame frame, OutputStream input) throws IOException {
        if (frame.payload().length == 0) {
            input.close();
            return;
        }
        try {
            input.write(frame.payload());
        } catch (IOException _) {
            // As with a pipe in a shell: what a command no longer reads is lost, and it goes on.
            input.close();
        }
    }

    private void resize(int rows, int columns) throws IOException {
        int most = ExecRequest.SIDE_MAX;
        if (rows < 1 || rows > most || columns < 1 || columns > most)
            throw new IOException("no size of a terminal: " + rows + " " + columns);
        session.resize(rows, columns);
    }

    /** Never idle: the heartbeat finds out whether the user is still there. */
    @Override
    public Duration idleTime() {
        return Duration.ZERO;
    }

    @Override
    public void close(boolean interrupt) {
        over = true;
        Thread thread = owner;
        if (interrupt && thread != null) thread.interrupt();
    }

    /** The bytes that the user's command sends. */
    private static final class Incoming extends BlockStream {
        private final DataReader reader;

        Incoming(DataReader reader) {
            this.reader = reader;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (length == 0) return 0;
            try {
                reader.ensureAvailable();
            } catch (DataReader.InsufficientDataAvailableException _) {
                return -1;
            }
            byte[] bytes = reader.readBytes(Math.min(length, reader.available()));
            System.arraycopy(bytes, 0, target, offset, bytes.length);
            return bytes.length;
        }
    }
}
