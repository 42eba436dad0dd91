package fairlead.engines.local.session;

import fairlead.engine.BlockStream;
import fairlead.engine.ExecSession;
import fairlead.engines.local.linux.Descriptor;
import fairlead.engines.local.linux.Libc;
import fairlead.engines.local.linux.Processes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * A command beside a local task: the leader of a session of its own, which bears the task's mark.
 * The server holds nothing of its streams but what is in the kernel's pipe.
 */
final class LocalSession implements ExecSession {
    private static final Logger LOG = System.getLogger(LocalSession.class.getName());

    /** How late the end of a command may be noticed by a stream that something keeps open. */
    private static final Duration LOOK_PERIOD = Duration.ofMillis(50);

    /** For a shell that hears of the loss of its terminal, to write its history. */
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    /** A killed process takes a few milliseconds to go. */
    private static final int KILL_ROUNDS_MAX = 50;

    private static final Duration KILL_PAUSE = Duration.ofMillis(4);

    private final int pid;
    private final String mark;
    private final String beside;
    private final boolean isTerminal;
    private final Descriptor input;
    private final Descriptor output;
    private final Optional<Descriptor> errors;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();
    private volatile boolean closed;

    private LocalSession(
            int pid,
            String mark,
            String beside,
            boolean isTerminal,
            Descriptor input,
            Descriptor output,
            Optional<Descriptor> errors) {
        this.pid = pid;
        this.mark = mark;
        this.beside = beside;
        this.isTerminal = isTerminal;
        this.input = input;
        this.output = output;
        this.errors = errors;
    }

    /**
     * @param beside names the command where it is in a container, and so in another session than
     *     what leads there; else empty
     */
    static LocalSession onTerminal(int pid, String mark, String beside, Descriptor master) {
        return begun(new LocalSession(pid, mark, beside, true, master, master, Optional.empty()));
    }

    static LocalSession onPipes(
            int pid,
            String mark,
            String beside,
            Descriptor input,
            Descriptor output,
            Descriptor errors) {
        return begun(
                new LocalSession(pid, mark, beside, false, input, output, Optional.of(errors)));
    }

    private static LocalSession begun(LocalSession session) {
        Thread.ofPlatform()
                .daemon()
                .name("exec-" + session.pid)
                .start(() -> session.exit.complete(Libc.awaitExit(session.pid)));
        return session;
    }

    @Override
    public OutputStream input() {
        return new Input();
    }

    @Override
    public InputStream output() {
        return new Output(output);
    }

    @Override
    public InputStream errors() {
        return errors.<InputStream>map(Output::new).orElseGet(InputStream::nullInputStream);
    }

    @Override
    public void resize(int rows, int columns) {
        if (isTerminal) output.resize(rows, columns);
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
    public synchronized void close() {
        if (closed) return;
        closed = true;
        if (!exit.isDone()) end();
        input.close();
        output.close();
        errors.ifPresent(Descriptor::close);
    }

    private void end() {
        Libc.kill(-pid, Libc.SIGHUP);
        Libc.kill(-pid, Libc.SIGCONT);
        try {
            exit.get(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            LOG.log(Level.DEBUG, "{0} outstays the end of its session", pid);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException bug) {
            throw new IllegalStateException(bug);
        }
        try {
            killAll();
        } catch (IOException problem) {
            // They bear the task's mark, so they end with it at the latest.
            LOG.log(Level.WARNING, "a command beside a task goes on: {0}", problem.getMessage());
        }
    }

    /** All that it has started, unless it has left the session: then it ends with the task. */
    private void killAll() throws IOException {
        for (int round = 0; round < KILL_ROUNDS_MAX; round++) {
            var left = Processes.all().stream().filter(this::isOurs).toList();
            if (left.isEmpty()) return;
            for (var found : left) Processes.kill(found.pid(), this::isOurs);
            LockSupport.parkNanos(KILL_PAUSE.toNanos());
        }
    }

    private boolean isOurs(Processes.Found found) {
        if (!found.mark().equals(mark)) return false;
        return found.session() == pid || !beside.isEmpty() && found.beside().equals(beside);
    }

    /** What the command reads. */
    private final class Input extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            int done = 0;
            while (done < length) {
                if (closed || exit.isDone()) throw new IOException("the command has ended");
                done += input.write(bytes, offset + done, length - done, LOOK_PERIOD);
            }
        }

        @Override
        public void close() {
            if (!isTerminal) input.close();
        }
    }

    /** What the command writes. */
    private final class Output extends BlockStream {
        private final Descriptor source;

        Output(Descriptor source) {
            this.source = source;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, target.length);
            if (length == 0) return 0;
            while (!closed) {
                // Asked for first: what was written before the end is then still read.
                boolean isOver = exit.isDone();
                int count = source.read(target, offset, length, LOOK_PERIOD);
                if (count != 0) return count;
                if (isOver) return -1;
            }
            return -1;
        }
    }
}
