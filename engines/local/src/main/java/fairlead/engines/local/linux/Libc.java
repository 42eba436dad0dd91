package fairlead.engines.local.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The functions of the C library that the engine needs, called directly. Where C answers -1 and
 * sets errno, these answer the negative errno.
 */
public final class Libc {
    public static final int SIGHUP = 1;
    static final int SIGKILL = 9;
    public static final int SIGTERM = 15;
    public static final int SIGCONT = 18;

    static final int ENOENT = 2;
    static final int ESRCH = 3;
    static final int EINTR = 4;
    static final int EIO = 5;
    public static final int E2BIG = 7;
    static final int EAGAIN = 11;
    public static final int EEXIST = 17;

    public static final int EPOLL_CTL_ADD = 1;
    public static final int EPOLL_CTL_DEL = 2;

    private static final int EPOLL_CLOEXEC = 0x80000;
    private static final int EFD_CLOEXEC = 0x80000;
    private static final int O_WRONLY = 1;
    private static final int O_CLOEXEC = 0x80000;
    private static final int OWNER_ONLY = 0600;
    private static final int WNOHANG = 1;
    private static final int FALLOC_FL_KEEP_SIZE = 1;
    private static final int FALLOC_FL_PUNCH_HOLE = 2;

    /** The same on every architecture, as all system calls since Linux 5.0 are. */
    private static final long PIDFD_SEND_SIGNAL = 424;

    private static final long PIDFD_OPEN = 434;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE_LAYOUT = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            STATE_LAYOUT.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
    private static final ThreadLocal<MemorySegment> STATE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE_LAYOUT));

    private static final MethodHandle KILL =
            captured("kill", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle WAITPID =
            captured("waitpid", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle CLOSE =
            captured("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle OPEN =
            LINKER.downcallHandle(
                    find("open"),
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                    CAPTURE,
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle MKFIFO =
            captured("mkfifo", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle FALLOCATE =
            captured(
                    "fallocate",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle SYSCALL =
            LINKER.downcallHandle(
                    find("syscall"),
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                    CAPTURE,
                    Linker.Option.firstVariadicArg(1));
    private static final MethodHandle EPOLL_CREATE =
            captured("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle EPOLL_CTL =
            captured(
                    "epoll_ctl",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle EPOLL_WAIT =
            captured(
                    "epoll_wait",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    private static final MethodHandle EVENTFD =
            captured("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle EVENTFD_READ =
            captured("eventfd_read", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle EVENTFD_WRITE =
            captured("eventfd_write", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle GETEUID =
            captured("geteuid", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle GETEGID =
            captured("getegid", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle STRERROR =
            captured("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

    private Libc() {}

    static MemorySegment find(String function) {
        return LINKER.defaultLookup()
                .find(function)
                .orElseThrow(
                        () ->
                                new UnsupportedOperationException(
                                        "the C library has no "
                                                + function
                                                + "; glibc 2.34 or newer is needed"));
    }

    static MethodHandle captured(String function, FunctionDescriptor type) {
        return LINKER.downcallHandle(find(function), type, CAPTURE);
    }

    static int checked(int answer) {
        return answer >= 0 ? answer : -(int) ERRNO.get(STATE.get(), 0L);
    }

    /** The first argument of every function that {@link #captured} finds. */
    static MemorySegment state() {
        return STATE.get();
    }

    /** A method handle of a C function throws nothing; if it does, it is wired wrongly. */
    public static AssertionError miswired(Throwable problem) {
        return new AssertionError("call into the C library", problem);
    }

    public static int kill(int pid, int signal) {
        try {
            return checked((int) KILL.invokeExact(STATE.get(), pid, signal));
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }

    /** Takes an ended child off the process table. Harmless for a process that is not our child. */
    public static void reap(int pid) {
        try {
            int _ = (int) WAITPID.invokeExact(STATE.get(), pid, MemorySegment.NULL, WNOHANG);
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }

    /**
     * Waits for the end of a child, as long as it takes. Answers its code, or 128 and the number of
     * the signal that ended it.
     */
    public static int awaitExit(int pid) {
        try (var arena = Arena.ofConfined()) {
            var status = arena.allocate(JAVA_INT);
            int answer;
            do {
                answer = checked((int) WAITPID.invokeExact(STATE.get(), pid, status, 0));
            } while (answer == -EINTR);
            if (answer < 0) throw new IllegalStateException("waitpid: " + errorText(-answer));
            int word = status.get(JAVA_INT, 0);
            int signal = word & 0x7f;
            return signal == 0 ? word >> 8 & 0xff : 128 + signal;
        } catch (RuntimeException bug) {
            throw bug;
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }

    public static void close(int fd) {
        try {
            int _ = (int) CLOSE.invokeExact(STATE.get(), fd);
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }

    /** A file descriptor that names this very process, also after its number is used again. */
    public static int pidfdOpen(int pid) {
        return systemCall(PIDFD_OPEN, pid, 0);
    }

    static int pidfdSendSignal(int pidfd, int signal) {
        return systemCall(PIDFD_SEND_SIGNAL, pidfd, signal);
    }

    private static int systemCall(long number, long first, long second) {
        try {
            long answer = (long) SYSCALL.invokeExact(STATE.get(), number, first, second, 0L, 0L);
            return checked((int) answer);
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }

    /** Opens a file that exists. */
    static int open(String path, int flags) {
        try (var arena = Arena.ofConfined()) {
            var name = arena.allocateFrom(path);
            return checked((int) OPEN.invokeExact(STATE.get(), name, flags | O_CLOEXEC));
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }

    /** Makes a named pipe that only its owner may open. */
    public static int makePipe(String path) {
        try (var arena = Arena.ofConfined()) {
            var name = arena.allocateFrom(path);
            return checked((int) MKFIFO.invokeExact(STATE.get(), name, OWNER_ONLY));
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }

    /** Gives the first bytes of a file back to the file system; its length and offsets stay. */
    public static int punchHole(String path, long bytes) {
        try {
            int fd = open(path, O_WRONLY);
            if (fd < 0) return fd;
            int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
            int answer = checked((int) FALLOCATE.invokeExact(STATE.get(), fd, mode, 0L, bytes));
            close(fd);
            return answer;
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }

    public static int epollCreate() {
        try {
            return checked((int) EPOLL_CREATE.invokeExact(STATE.get(), EPOLL_CLOEXEC));
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }

    public static int epollControl(int epoll, int operation, int fd, MemorySegment event) {
        try {
            return checked((int) EPOLL_CTL.invokeExact(STATE.get(), epoll, operation, fd, event));
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }

    public static int epollWait(int epoll, MemorySegment events, int eventsMax, int timeoutMillis) {
        try {
            return checked(
                    (int)
                            EPOLL_WAIT.invokeExact(
                                    STATE.get(), epoll, events, eventsMax, timeoutMillis));
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }

    public static int eventfd() {
        try {
            return checked((int) EVENTFD.invokeExact(STATE.get(), 0, EFD_CLOEXEC));
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }

    public static void eventfdSignal(int fd) {
        try {
            int _ = (int) EVENTFD_WRITE.invokeExact(STATE.get(), fd, 1L);
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }

    public static void eventfdClear(int fd) {
        try (var arena = Arena.ofConfined()) {
            int _ = (int) EVENTFD_READ.invokeExact(STATE.get(), fd, arena.allocate(JAVA_LONG));
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }

    public static int effectiveUser() {
        try {
            return (int) GETEUID.invokeExact(STATE.get());
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }

    public static int effectiveGroup() {
        try {
            return (int) GETEGID.invokeExact(STATE.get());
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }

    public static String errorText(int errno) {
        try {
            var text = (MemorySegment) STRERROR.invokeExact(STATE.get(), errno);
            return text.reinterpret(1_024).getString(0);
        } catch (Throwable problem) {
            throw miswired(problem);
        }
    }
}
