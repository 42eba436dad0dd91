package fairlead.engines.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A container: a real process in a session of its own, with all that it starts.
 *
 * <p>It differs from a container in these ways: its root is this machine's, with the volumes in
 * place; it is not process 1, so SIGTERM ends a program that has no handler for it, which in a
 * container nothing but SIGKILL would; and its two outputs are one in its log.
 */
final class PodProcess {
    /** By which all processes of a container are found, even those that leave its session. */
    static final String MARK = "TEST_POD_UID";

    private static final String OWN_PID = Long.toString(ProcessHandle.current().pid());
    private static final int SWEEPS_MAX = 50;

    /** A terminal around a command. Its size is read again and again from a file. */
    private static final String TERMINAL =
            """
            import fcntl, os, pty, select, signal, struct, sys, termios
            sizes = sys.argv[1]
            pid, master = pty.fork()
            if pid == 0:
                try:
                    os.execvp(sys.argv[2], sys.argv[2:])
                except OSError:
                    os._exit(127)
            signal.signal(signal.SIGTERM, lambda *_: os.kill(pid, signal.SIGTERM))
            size = ''
            def write(to, data):
                while data:
                    data = data[os.write(to, data):]
            def resize():
                global size
                try:
                    wanted = open(sizes).read()
                    if wanted != size:
                        rows, columns = wanted.split()
                        fcntl.ioctl(master, termios.TIOCSWINSZ,
                                    struct.pack('HHHH', int(rows), int(columns), 0, 0))
                        size = wanted
                except (OSError, ValueError):
                    pass
            inputs = [master, 0]
            while True:
                resize()
                ready = select.select(inputs, [], [], 0.05)[0]
                if master in ready:
                    try:
                        data = os.read(master, 65536)
                    except OSError:
                        data = b''
                    if not data:
                        break
                    write(1, data)
                if 0 in ready:
                    data = os.read(0, 65536)
                    if data:
                        write(master, data)
                    else:
                        inputs.remove(0)
            status = os.waitpid(pid, 0)[1]
            sys.exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
            """;

    private final Plan plan;
    private final PodLog log;
    private final Process process;
    private final Set<Long> sessions = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();

    /**
     * What to start.
     *
     * @param folder for files of the kubelet about the container; exists
     */
    record Plan(
            String uid,
            List<String> command,
            Map<String, String> environment,
            String workingFolder,
            List<PodMounts.Bind> binds,
            Path folder,
            boolean stdin,
            boolean tty) {}

    /** A command beside the container's own; with a terminal all that it writes is its output. */
    record Exec(Process process, Path sizes) {
        void resize(int rows, int columns) {
            try {
                Files.writeString(sizes, rows + " " + columns);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot resize a terminal", e);
            }
        }
    }

    private PodProcess(Plan plan, PodLog log, Process process) {
        this.plan = plan;
        this.log = log;
        this.process = process;
        sessions.add(process.pid());
    }

    static PodProcess start(Plan plan, PodLog log) throws IOException {
        List<String> command = plan.command();
        Path sizes = plan.folder().resolve("size");
        if (plan.tty()) command = inTerminal(sizes, command);
        var words = new ArrayList<>(List.of("setsid"));
        words.addAll(PodMounts.wrap(plan.binds(), plan.workingFolder(), command));
        var builder = builder(plan, words).redirectErrorStream(true);
        if (!plan.stdin()) builder.redirectInput(Path.of("/dev/null").toFile());
        var started = new PodProcess(plan, log, builder.start());
        Thread.startVirtualThread(started::keepOutput);
        return started;
    }

    private static ProcessBuilder builder(Plan plan, List<String> words) {
        var builder = new ProcessBuilder(words);
        // With folders of its own the script enters the working folder, which may be in one.
        boolean inside = plan.binds().isEmpty();
        builder.directory(inside ? Path.of(plan.workingFolder()).toFile() : plan.folder().toFile());
        builder.environment().clear();
        builder.environment().putAll(plan.environment());
        builder.environment().put(MARK, plan.uid());
        return builder;
    }

    private static List<String> inTerminal(Path sizes, List<String> command) {
        String python =
                Files.isExecutable(Path.of("/usr/bin/python3")) ? "/usr/bin/python3" : "python3";
        var words = new ArrayList<>(List.of(python, "-c", TERMINAL, sizes.toString()));
        words.addAll(command);
        return words;
    }

    /** The end of the output comes after the end of the last process, so the log is whole then. */
    private void keepOutput() {
        Thread.startVirtualThread(this::sweepAfterTheEnd);
        try (InputStream in = process.getInputStream()) {
            byte[] piece = new byte[64 << 10];
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                log.append(piece, count);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read what a pod writes", e);
        } finally {
            log.end();
            exit.complete(process.onExit().join().exitValue());
        }
    }

    /** The end of its first process is the end of a container. */
    private void sweepAfterTheEnd() {
        process.onExit().join();
        kill();
    }

    /** Completes when all has ended, with the exit code as a shell tells it. */
    CompletableFuture<Integer> exit() {
        return exit;
    }

    PodLog log() {
        return log;
    }

    Plan plan() {
        return plan;
    }

    Optional<OutputStream> stdin() {
        return plan.stdin() ? Optional.of(process.getOutputStream()) : Optional.empty();
    }

    void resize(int rows, int columns) {
        new Exec(process, plan.folder().resolve("size")).resize(rows, columns);
    }

    /** SIGTERM to the first process alone, as runtimes do. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** SIGKILL to all. */
    void kill() {
        process.toHandle().destroyForcibly();
        for (int i = 0; i < SWEEPS_MAX; i++) {
            var all = members();
            if (all.isEmpty()) return;
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private List<ProcessHandle> members() {
        try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.matches("[0-9]+"))
                    .map(Long::parseLong)
                    .filter(this::isMember)
                    .flatMap(pid -> ProcessHandle.of(pid).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list processes", e);
        }
    }

    private boolean isMember(long pid) {
        Path folder = Path.of("/proc", Long.toString(pid));
        try {
            String stat = Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1);
            String[] facts = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            if (facts[0].equals("Z")) return false;
            if (sessions.contains(Long.parseLong(facts[3]))) return true;
            // The first process of another container; there may be a thousand.
            if (facts[1].equals(OWN_PID)) return false;
            String variables =
                    Files.readString(folder.resolve("environ"), StandardCharsets.ISO_8859_1);
            return variables.contains(MARK + "=" + plan.uid());
        } catch (IOException _) {
            // It has ended meanwhile, or it is another account's.
            return false;
        }
    }

    Exec exec(List<String> command, boolean tty) throws IOException {
        Path sizes = Files.createTempFile(plan.folder(), "exec", ".size");
        var words = new ArrayList<>(List.of("setsid"));
        if (!plan.binds().isEmpty()) {
            words.addAll(List.of("nsenter", "-t", Long.toString(process.pid()), "-m", "-r", "-w"));
        }
        words.addAll(tty ? inTerminal(sizes, command) : command);
        var started = builder(plan, words).redirectErrorStream(tty).start();
        sessions.add(started.pid());
        // The container may have ended while it started.
        if (exit.isDone()) kill();
        return new Exec(started, sizes);
    }
}
