package fairlead.engines.local.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Our end of a pipe or of a terminal. Nothing waits longer than it says, and a close waits for
 * those who are inside: the number of a closed file may soon be another's. Any thread.
 */
public final class Descriptor implements Closeable {
    /** Two ends: what is written to the one is read from the other. */
    public record Pipe(Descriptor read, Descriptor write) {}

    /** Our side of a new terminal, and the path of the other side. */
    public record Terminal(Descriptor master, String path) {}

    private static final int O_RDWR = 2;
    private static final int O_NOCTTY = 0x100;
    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;
    private static final int F_SETFL = 4;
    private static final short POLLIN = 1;
    private static final short POLLOUT = 4;
    private static final long TIOCSWINSZ = 0x5414;
    private static final int PATH_BYTES = 64;

    private static final MethodHandle READ =
            Libc.captured("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle WRITE =
            Libc.captured("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle POLL =
            Libc.captured("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle PIPE =
            Libc.captured("pipe2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle OPEN_TERMINAL =
            Libc.captured("posix_openpt", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle UNLOCK =
            Libc.captured("unlockpt", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle PATH =
            Libc.captured(
                    "ptsname_r", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle CONTROL = variadic("fcntl", JAVA_INT, JAVA_INT);
    private static final MethodHandle IOCTL = variadic("ioctl", JAVA_LONG, ADDRESS);

    private final int fd;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private boolean closed;

    private Descriptor(int fd) {
        this.fd = fd;
    }

    private static MethodHandle variadic(String function, ValueLayout second, ValueLayout third) {
        return Linker.nativeLinker()
                .downcallHandle(
                        Libc.find(function),
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, second, third),
                        Linker.Option.captureCallState("errno"),
                        Linker.Option.firstVariadicArg(2));
    }

    public static Pipe pipe() throws IOException {
        try (var arena = Arena.ofConfined()) {
            var ends = arena.allocate(JAVA_INT, 2);
            must("pipe2", Libc.checked((int) PIPE.invokeExact(Libc.state(), ends, O_CLOEXEC)));
            return new Pipe(
                    new Descriptor(ends.getAtIndex(JAVA_INT, 0)),
                    new Descriptor(ends.getAtIndex(JAVA_INT, 1)));
        } catch (IOException problem) {
            throw problem;
        } catch (Throwable problem) {
            throw Libc.miswired(problem);
        }
    }

    /** A named pipe, for both directions: so it opens also while nobody has its other end. */
    public static Descriptor namedPipe(String path) throws IOException {
        return new Descriptor(must(path, Libc.open(path, O_RDWR | O_NONBLOCK)));
    }

    public static Terminal terminal() throws IOException {
        try (var arena = Arena.ofConfined()) {
            int flags = O_RDWR | O_NOCTTY | O_CLOEXEC;
            int fd = Libc.checked((int) OPEN_TERMINAL.invokeExact(Libc.state(), flags));
            var master = new Descriptor(must("posix_openpt", fd));
            var path = arena.allocate(PATH_BYTES);
            try {
                must("unlockpt", Libc.checked((int) UNLOCK.invokeExact(Libc.state(), fd)));
                int named = (int) PATH.invokeExact(Libc.state(), fd, path, (long) PATH_BYTES);
                must("ptsname_r", -named);
                master.neverWait();
            } catch (IOException problem) {
                master.close();
                throw problem;
            }
            return new Terminal(master, path.getString(0));
        } catch (IOException problem) {
            throw problem;
        } catch (Throwable problem) {
            throw Libc.miswired(problem);
        }
    }

    private static int must(String function, int answer) throws IOException {
        if (answer < 0) throw new IOException(function + ": " + Libc.errorText(-answer));
        return answer;
    }

    /** For a child that is being started; it is the caller's that this stays open so long. */
    public int number() {
        return fd;
    }

    /** For ends that are ours: the command's own must wait, as commands expect. */
    public void neverWait() throws IOException {
        try {
            int answer = (int) CONTROL.invokeExact(Libc.state(), fd, F_SETFL, O_NONBLOCK);
            must("fcntl", Libc.checked(answer));
        } catch (IOException problem) {
            throw problem;
        } catch (Throwable problem) {
            throw Libc.miswired(problem);
        }
    }

    /** Waits a while for something to read. Zero when nothing came, -1 at the end. */
    public int read(byte[] target, int offset, int length, Duration wait) throws IOException {
        lock.readLock().lock();
        try (var arena = Arena.ofConfined()) {
            if (closed) return -1;
            if (!isReady(arena, POLLIN, wait)) return 0;
            var buffer = arena.allocate(length);
            long count = (long) READ.invokeExact(Libc.state(), fd, buffer, (long) length);
            int answer = Libc.checked((int) count);
            if (answer == -Libc.EAGAIN || answer == -Libc.EINTR) return 0;
            // So a terminal says that nobody has its other side open any more.
            if (answer == 0 || answer == -Libc.EIO) return -1;
            must("read", answer);
            MemorySegment.copy(buffer, JAVA_BYTE, 0, target, offset, answer);
            return answer;
        } catch (IOException problem) {
            throw problem;
        } catch (Throwable problem) {
            throw Libc.miswired(problem);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Waits a while for room. Answers how many bytes were taken, which may be none. */
    public int write(byte[] source, int offset, int length, Duration wait) throws IOException {
        lock.readLock().lock();
        try (var arena = Arena.ofConfined()) {
            if (closed) throw new IOException("it is closed");
            if (!isReady(arena, POLLOUT, wait)) return 0;
            var buffer = arena.allocate(length);
            MemorySegment.copy(source, offset, buffer, JAVA_BYTE, 0, length);
            long count = (long) WRITE.invokeExact(Libc.state(), fd, buffer, (long) length);
            int answer = Libc.checked((int) count);
            if (answer == -Libc.EAGAIN || answer == -Libc.EINTR) return 0;
            return must("write", answer);
        } catch (IOException problem) {
            throw problem;
        } catch (Throwable problem) {
            throw Libc.miswired(problem);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** True also when the other end is gone, which a read or a write then shows. */
    private boolean isReady(Arena arena, short events, Duration wait) throws Throwable {
        var question = arena.allocate(8, 4);
        question.set(JAVA_INT, 0, fd);
        question.set(JAVA_SHORT, 4, events);
        int answer = (int) POLL.invokeExact(Libc.state(), question, 1L, (int) wait.toMillis());
        return Libc.checked(answer) > 0;
    }

    /** Only for a terminal. */
    public void resize(int rows, int columns) {
        lock.readLock().lock();
        try (var arena = Arena.ofConfined()) {
            if (closed) return;
            var window = arena.allocate(8, 2);
            window.setAtIndex(JAVA_SHORT, 0, (short) rows);
            window.setAtIndex(JAVA_SHORT, 1, (short) columns);
            int _ = (int) IOCTL.invokeExact(Libc.state(), fd, TIOCSWINSZ, window);
        } catch (Throwable problem) {
            throw Libc.miswired(problem);
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            if (!closed) Libc.close(fd);
            closed = true;
        } finally {
            lock.writeLock().unlock();
        }
    }
}
