package fairlead.engines.local.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/**
 * Starts processes in a session of their own, with posix_spawn: several times faster than
 * ProcessBuilder, which starts a helper program for each process. Safe for all threads.
 */
public final class Spawner {
    /** Larger than glibc's structures on every architecture (336 and 80 bytes on x86-64). */
    private static final long STRUCTURE_BYTES = 1_024;

    private static final int SIGNAL_SET_BYTES = 128;
    private static final short POSIX_SPAWN_SETSIGDEF = 0x04;
    private static final short POSIX_SPAWN_SETSIGMASK = 0x08;
    private static final short POSIX_SPAWN_SETSID = 0x80;
    private static final int O_RDONLY = 0;
    private static final int O_RDWR = 2;
    private static final int O_WRONLY_CREAT_APPEND = 0x1 | 0x40 | 0x400;
    private static final int LOG_MODE = 0600;

    private static final MethodHandle SPAWN =
            handle("posix_spawn", ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    private static final MethodHandle ATTR_INIT = handle("posix_spawnattr_init", ADDRESS);
    private static final MethodHandle ATTR_FLAGS =
            handle("posix_spawnattr_setflags", ADDRESS, JAVA_SHORT);
    private static final MethodHandle ATTR_DEFAULTS =
            handle("posix_spawnattr_setsigdefault", ADDRESS, ADDRESS);
    private static final MethodHandle ATTR_MASK =
            handle("posix_spawnattr_setsigmask", ADDRESS, ADDRESS);
    private static final MethodHandle FILL = handle("sigfillset", ADDRESS);
    private static final MethodHandle EMPTY = handle("sigemptyset", ADDRESS);
    private static final MethodHandle ACTIONS_INIT =
            handle("posix_spawn_file_actions_init", ADDRESS);
    private static final MethodHandle ACTIONS_DESTROY =
            handle("posix_spawn_file_actions_destroy", ADDRESS);
    private static final MethodHandle ADD_OPEN =
            handle(
                    "posix_spawn_file_actions_addopen",
                    ADDRESS,
                    JAVA_INT,
                    ADDRESS,
                    JAVA_INT,
                    JAVA_INT);
    private static final MethodHandle ADD_DUP =
            handle("posix_spawn_file_actions_adddup2", ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle ADD_CLOSE_FROM =
            handle("posix_spawn_file_actions_addclosefrom_np", ADDRESS, JAVA_INT);

    private static final MemorySegment DEV_NULL = Arena.global().allocateFrom("/dev/null");

    /** Only ever read after this, so all threads share it. */
    private static final MemorySegment ATTRIBUTES = attributes();

    private Spawner() {}

    /** What a process has for its three standard streams. All its other files are closed. */
    public sealed interface Streams {
        /**
         * Output and errors are appended to a file.
         *
         * @param input a named pipe, which never ends as its reader may also write to it; empty:
         *     there is no input
         */
        record ToLog(Optional<String> input, String path) implements Streams {}

        /** A terminal that becomes the process's own: it leads the session. */
        record OnTerminal(String path) implements Streams {}

        /** Open files of ours. */
        record Ends(int input, int output, int errors) implements Streams {}
    }

    /**
     * Starts a program and answers its pid, or the negative errno when nothing was started.
     *
     * @param environment entries of the form NAME=value
     */
    public static int spawn(
            String program, List<byte[]> arguments, List<byte[]> environment, Streams streams) {
        try (var arena = Arena.ofConfined()) {
            var actions = arena.allocate(STRUCTURE_BYTES);
            must((int) ACTIONS_INIT.invokeExact(actions));
            try {
                add(streams, actions, arena);
                must((int) ADD_CLOSE_FROM.invokeExact(actions, 3));
                var pid = arena.allocate(JAVA_INT);
                int problem =
                        (int)
                                SPAWN.invokeExact(
                                        pid,
                                        arena.allocateFrom(program),
                                        actions,
                                        ATTRIBUTES,
                                        strings(arena, arguments),
                                        strings(arena, environment));
                return problem == 0 ? pid.get(JAVA_INT, 0) : -problem;
            } finally {
                int _ = (int) ACTIONS_DESTROY.invokeExact(actions);
            }
        } catch (Throwable problem) {
            throw Libc.miswired(problem);
        }
    }

    private static void add(Streams streams, MemorySegment actions, Arena arena) throws Throwable {
        switch (streams) {
            case Streams.ToLog(Optional<String> input, String path) -> {
                var from = input.map(arena::allocateFrom).orElse(DEV_NULL);
                int flags = input.isPresent() ? O_RDWR : O_RDONLY;
                must((int) ADD_OPEN.invokeExact(actions, 0, from, flags, 0));
                var log = arena.allocateFrom(path);
                must((int) ADD_OPEN.invokeExact(actions, 1, log, O_WRONLY_CREAT_APPEND, LOG_MODE));
                must((int) ADD_DUP.invokeExact(actions, 1, 2));
            }
            case Streams.OnTerminal(String path) -> {
                var terminal = arena.allocateFrom(path);
                must((int) ADD_OPEN.invokeExact(actions, 0, terminal, O_RDWR, 0));
                must((int) ADD_DUP.invokeExact(actions, 0, 1));
                must((int) ADD_DUP.invokeExact(actions, 0, 2));
            }
            case Streams.Ends(int input, int output, int errors) -> {
                must((int) ADD_DUP.invokeExact(actions, input, 0));
                must((int) ADD_DUP.invokeExact(actions, output, 1));
                must((int) ADD_DUP.invokeExact(actions, errors, 2));
            }
        }
    }

    private static MemorySegment attributes() {
        try {
            var attributes = Arena.global().allocate(STRUCTURE_BYTES);
            var signals = Arena.global().allocate(SIGNAL_SET_BYTES);
            must((int) ATTR_INIT.invokeExact(attributes));
            must((int) FILL.invokeExact(signals));
            must((int) ATTR_DEFAULTS.invokeExact(attributes, signals));
            must((int) EMPTY.invokeExact(signals));
            must((int) ATTR_MASK.invokeExact(attributes, signals));
            short flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
            must((int) ATTR_FLAGS.invokeExact(attributes, flags));
            return attributes;
        } catch (Throwable problem) {
            throw Libc.miswired(problem);
        }
    }

    private static MemorySegment strings(Arena arena, List<byte[]> texts) {
        long bytes = 0;
        for (byte[] text : texts) bytes += text.length + 1;
        // One block for all: an allocation for each of some fifty variables would cost more than
        // the rest.
        var allocator = SegmentAllocator.slicingAllocator(arena.allocate(Math.max(bytes, 1)));
        var pointers = arena.allocate(ADDRESS, texts.size() + 1);
        for (int i = 0; i < texts.size(); i++) {
            byte[] text = texts.get(i);
            var copy = allocator.allocate(text.length + 1);
            MemorySegment.copy(text, 0, copy, JAVA_BYTE, 0, text.length);
            pointers.setAtIndex(ADDRESS, i, copy);
        }
        return pointers;
    }

    private static MethodHandle handle(String function, MemoryLayout... types) {
        return Linker.nativeLinker()
                .downcallHandle(Libc.find(function), FunctionDescriptor.of(JAVA_INT, types));
    }

    private static void must(int problem) {
        if (problem != 0) throw new OutOfMemoryError("posix_spawn: " + Libc.errorText(problem));
    }
}
