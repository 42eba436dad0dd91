package fairlead.cli.server;

import fairlead.api.client.Client;
import fairlead.api.client.Endpoint;
import fairlead.api.client.HomeFolder;
import fairlead.api.client.Refused;
import fairlead.api.client.ServerFile;
import fairlead.api.client.Unreachable;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The server that belongs to one user and one home folder, started by whichever command needs it
 * first. A lock file makes commands that start together agree on one.
 */
public final class PersonalServer implements Endpoint.Locator {
    /** A first start may have a large journal to read on a slow disk. */
    private static final Duration START_MAX = Duration.ofSeconds(60);

    private static final Duration STOP_MAX = Duration.ofSeconds(60);
    private static final Duration SILENT_START = Duration.ofSeconds(1);
    private static final Duration POLL = Duration.ofMillis(10);

    /**
     * A stop takes less; a start that somebody else has begun takes longer only with much to read.
     */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(5);

    /** How the lock file begins, and what it says until the server listens. */
    private static final Pattern HOLDER = Pattern.compile("process (\\d{1,18}),( still starting)?");

    /** Locked by the command that starts a server, until that answers. */
    private static final String START_LOCK = "start.lock";

    private static final int OUTPUT_LINES_SHOWN = 5;

    /**
     * What a server gets of the environment of the command that happens to start it. The rest may
     * hold secrets, and the jobs of all later commands would inherit it.
     */
    private static final Set<String> INHERITED =
            Set.of(
                    "HOME",
                    "USER",
                    "LOGNAME",
                    "SHELL",
                    "PATH",
                    "LANG",
                    "TZ",
                    "TMPDIR",
                    "LD_LIBRARY_PATH",
                    "CUDA_VISIBLE_DEVICES",
                    "NVIDIA_VISIBLE_DEVICES",
                    "XDG_RUNTIME_DIR",
                    "DBUS_SESSION_BUS_ADDRESS");

    /** In /proc/PID/stat, counted from the one after the name. */
    private static final int THREADS_FIELD = 17;

    private final Places places;
    private final Path home;
    private final ServerProgram program;

    public PersonalServer(Places places, ServerProgram program) {
        this.places = places;
        this.home = places.home();
        this.program = program;
    }

    public Path home() {
        return home;
    }

    public Path logs() {
        return home.resolve("logs");
    }

    private Path output() {
        return logs().resolve("server.out");
    }

    /** Where the running server listens. A file that a crash left behind counts as no server. */
    @Override
    public Endpoint locate() throws Unreachable {
        return file().endpoint();
    }

    private ServerFile file() throws Unreachable {
        Path path = home.resolve(ServerFile.NAME);
        try {
            ServerFile file = ServerFile.read(Files.readAllBytes(path));
            // Its port may belong to someone else by now, who must not be shown the token.
            if (!alive(file.pid())) {
                throw new Unreachable("the server of " + home + " is not running");
            }
            return file;
        } catch (NoSuchFileException _) {
            throw new Unreachable("no server is running for " + home);
        } catch (Unreachable e) {
            throw e;
        } catch (IOException | IllegalArgumentException e) {
            throw new Unreachable(path + " cannot be read (" + e.getMessage() + ")");
        }
    }

    /**
     * One that has ended stays listed until its parent looks, which in a container may be never.
     */
    private static boolean alive(long pid) {
        try {
            Path file = Path.of("/proc", Long.toString(pid), "stat");
            String stat = Files.readString(file, StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            // While it has threads, some of them still hold its files.
            return !fields[0].equals("Z") || !fields[THREADS_FIELD].equals("1");
        } catch (IOException _) {
            // It is gone, or this system has no such file.
            return ProcessHandle.of(pid).isPresent();
        }
    }

    /** Whether a server answers here. */
    public boolean answers() {
        try (var client = new Client(this)) {
            client.open();
            return true;
        } catch (Unreachable _) {
            return false;
        }
    }

    /**
     * The flags that a start without any has, as the last one with some had them.
     *
     * @throws Failure where they cannot be read
     */
    public List<String> keptFlags() throws Failure {
        try {
            return StartFlags.in(home).kept();
        } catch (IOException e) {
            throw cannotStart(e);
        }
    }

    /** The flags that say to the server's programs where its files are. */
    private List<String> where() {
        var where = new ArrayList<>(List.of("--home", home.toString()));
        if (!places.isTogether()) where.addAll(List.of("--settings", "" + places.settings()));
        return where;
    }

    /** What the next start without flags has: the words that the server's programs take. */
    public List<String> startWords() throws Failure {
        var words = new ArrayList<>(where());
        words.addAll(keptFlags());
        return words;
    }

    /**
     * Returns when a server answers: the one that runs, or a new one with these arguments, which
     * also those have from then on that start without any.
     *
     * @param forget whether one without arguments is meant so, and not as the last
     * @param notice called once when it takes longer than a moment
     * @return whether it was started here
     */
    public boolean start(List<String> arguments, boolean forget, Consumer<String> notice)
            throws Failure {
        program.requireHere();
        try {
            HomeFolder.prepare(home).ifPresent(notice);
            var flags = StartFlags.in(home);
            try (var channel = HomeFolder.openLock(home.resolve(START_LOCK));
                    var _ = lock(channel, notice)) {
                if (answers() || holderAnswers(notice)) return false;
                boolean isNew = forget || !StartFlags.lasting(arguments).isEmpty();
                List<String> kept = isNew ? List.of() : flags.kept();
                var all = new ArrayList<>(kept);
                all.addAll(arguments);
                awaitAnswer(spawn(all), notice, kept);
                if (isNew) flags.keep(arguments);
                return true;
            }
        } catch (IOException e) {
            throw cannotStart(e);
        }
    }

    private Failure cannotStart(IOException e) {
        return new Failure(
                ExitCode.UNREACHABLE,
                "a server cannot be started in " + home + ": " + HomeFolder.reason(e));
    }

    /** Held by one command at a time; the others wait until the server is there. */
    private static FileLock lock(FileChannel channel, Consumer<String> notice)
            throws IOException, Failure {
        long began = System.nanoTime();
        boolean told = false;
        while (true) {
            FileLock lock = channel.tryLock();
            if (lock != null) return lock;
            if (!told && System.nanoTime() - began > SILENT_START.toNanos()) {
                notice.accept("another command is starting the server...");
                told = true;
            }
            pause();
        }
    }

    /**
     * The process that has the home folder, whether or not it answers; empty where none has. Told
     * from the files that it has open: to try its lock would disturb a server that is starting.
     */
    private Optional<Holder> holder() {
        Path lock = home.resolve("server.lock");
        try {
            Matcher told = HOLDER.matcher(Files.readString(lock));
            if (!told.lookingAt()) return Optional.empty();
            var holder = new Holder(Long.parseLong(told.group(1)), told.group(2) != null);
            Path real = lock.toRealPath();
            try (var files = Files.list(Path.of("/proc", told.group(1), "fd"))) {
                boolean isOpen = files.anyMatch(file -> leadsTo(file, real));
                return isOpen ? Optional.of(holder) : Optional.empty();
            }
        } catch (IOException _) {
            // No such lock or process, or a system that does not say.
            return Optional.empty();
        }
    }

    private record Holder(long pid, boolean isStarting) {}

    private static boolean leadsTo(Path link, Path file) {
        try {
            return Files.readSymbolicLink(link).equals(file);
        } catch (IOException _) {
            return false;
        }
    }

    /** What to say of a server that has the home folder and does not answer; empty where none. */
    public Optional<String> silent() {
        Optional<Holder> holder = holder();
        if (holder.isEmpty() || answers()) return Optional.empty();
        long pid = holder.get().pid();
        return Optional.of(
                holder.get().isStarting()
                        ? "the server of %s (process %d) is still starting; try again soon"
                                .formatted(home, pid)
                        : "the server of %s (process %d) runs but does not answer; if it does not soon, end it with 'kill %d', or with 'kill -9 %d', and start it again: running jobs go on"
                                .formatted(home, pid, pid, pid));
    }

    /**
     * What to say where no server answers: also of one that a command is just starting, and that
     * does not have the home folder yet.
     */
    public Optional<String> absent() {
        Optional<String> silent = silent();
        return silent.isPresent() || !isBeingStarted()
                ? silent
                : Optional.of(
                        "a server for %s is just being started; try again soon".formatted(home));
    }

    private boolean isBeingStarted() {
        Path file = home.resolve(START_LOCK);
        if (!Files.exists(file)) return false;
        try (var channel = HomeFolder.openLock(file);
                var lock = channel.tryLock()) {
            return lock == null;
        } catch (IOException _) {
            return false;
        }
    }

    /** Waits for a server that somebody else has started, or that is just ending. */
    private boolean holderAnswers(Consumer<String> notice) throws Failure {
        long began = System.nanoTime();
        boolean told = false;
        for (var holder = holder(); holder.isPresent(); holder = holder()) {
            if (answers()) return true;
            long passed = System.nanoTime() - began;
            boolean isStarting = holder.get().isStarting();
            if (passed > (isStarting ? START_MAX : SILENCE_MAX).toNanos()) {
                Optional<String> silent = silent();
                if (silent.isPresent()) throw new Failure(ExitCode.REFUSED, silent.get());
            }
            if (isStarting && !told && passed > SILENT_START.toNanos()) {
                notice.accept("the server is still starting...");
                told = true;
            }
            pause();
        }
        return false;
    }

    private Process spawn(List<String> arguments) throws IOException {
        var command = new ArrayList<String>();
        // A session of its own: Ctrl-C and a closed terminal are for the command, not for the
        // server.
        Path setsid = Path.of("/usr/bin/setsid");
        if (Files.isExecutable(setsid)) command.add(setsid.toString());
        Optional<String> heap = HeapSize.option(arguments, places.settings());
        command.addAll(heap.map(program::with).orElse(program.command()));
        command.addAll(where());
        command.addAll(arguments);
        var builder = new ProcessBuilder(command);
        builder.environment().keySet().retainAll(INHERITED);
        // Java takes the encoding of arguments and file names from here.
        builder.environment().put("LC_CTYPE", "C.UTF-8");
        // Seen to here, because the redirection would follow a link.
        HomeFolder.open(output(), StandardOpenOption.WRITE).close();
        return builder.directory(home.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(output().toFile())
                .start();
    }

    /**
     * @param kept the arguments, where nobody has just typed them
     */
    private void awaitAnswer(Process process, Consumer<String> notice, List<String> kept)
            throws Failure, IOException {
        long began = System.nanoTime();
        boolean told = false;
        while (!answers()) {
            long passed = System.nanoTime() - began;
            if (!process.isAlive()) {
                throw new Failure(
                        exitCode(process),
                        "the personal server did not start: " + lastOutput() + whose(kept));
            }
            if (passed > START_MAX.toNanos()) {
                // With much to read it may take longer, and to begin again would not be faster.
                if (holder().filter(Holder::isStarting).isPresent())
                    throw new Failure(ExitCode.UNREACHABLE, silent().orElse("it has just started"));
                process.destroy();
                throw new Failure(
                        ExitCode.UNREACHABLE,
                        "the personal server did not answer in "
                                + START_MAX.toSeconds()
                                + " s; its output is in "
                                + output());
            }
            if (!told && passed > SILENT_START.toNanos()) {
                notice.accept("starting a personal server...");
                told = true;
            }
            pause();
        }
    }

    private static String whose(List<String> kept) {
        return kept.isEmpty()
                ? ""
                : "\nIt was started with '%s', as by the last 'fairlead server start'; one with other flags replaces them, and 'fairlead server start --forget' drops them."
                        .formatted(String.join(" ", kept));
    }

    /** A server shows by its own exit code that it refused; all else just leaves us without one. */
    private static int exitCode(Process process) {
        return switch (process.exitValue()) {
            case ExitCode.USAGE -> ExitCode.USAGE;
            case ExitCode.REFUSED -> ExitCode.REFUSED;
            default -> ExitCode.UNREACHABLE;
        };
    }

    private String lastOutput() throws IOException {
        List<String> lines =
                Files.readString(output()).lines().filter(line -> !line.isBlank()).toList();
        if (lines.isEmpty()) return "it said nothing (" + output() + ")";
        int from = Math.max(0, lines.size() - OUTPUT_LINES_SHOWN);
        return String.join("\n  ", lines.subList(from, lines.size()))
                .replaceFirst("^fairlead server: ", "");
    }

    /** Returns when the process has ended. */
    public void stop() throws Failure, Refused, Unreachable {
        long pid = file().pid();
        try (var client = new Client(this)) {
            client.stop();
        }
        long deadline = System.nanoTime() + STOP_MAX.toNanos();
        while (alive(pid)) {
            if (System.nanoTime() > deadline) {
                throw new Failure(
                        ExitCode.REFUSED,
                        "the server (process "
                                + pid
                                + ") still runs after "
                                + STOP_MAX.toSeconds()
                                + " s");
            }
            pause();
        }
    }

    private static void pause() throws Failure {
        try {
            Thread.sleep(POLL);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Failure(ExitCode.UNREACHABLE, "interrupted while waiting for the server");
        }
    }
}
