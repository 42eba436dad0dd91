package fairlead.engines.yarn.keeper;

import fairlead.engines.yarn.relay.TaskEnd;
import fairlead.engines.yarn.relay.TaskOrder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The task's own process, and the commands beside it. Any thread. */
final class Task {
    /** What a shell answers for a command that cannot be run, or that is not there. */
    private static final int CANNOT_RUN = 126;

    private static final int NOT_FOUND = 127;
    private static final int SIGNAL = 128;
    private static final int SIGKILL = 9;
    private static final int SIGTERM = 15;

    /** The keeper's own variables, which are nobody else's business. */
    static final String OWN = "FAIRLEAD_KEEPER_";

    private final LogFile log;
    private TaskOrder order;
    private Process process;
    private long stopAtMillis;
    private boolean isForced;
    private boolean isOver;

    Task(LogFile log) {
        this.log = log;
    }

    /** Starts the task and waits for its end. */
    TaskEnd run(TaskOrder what) throws IOException, InterruptedException {
        int code = start(what);
        if (process != null) code = await();
        // What it has left behind ends with it.
        Processes.kill();
        synchronized (this) {
            isOver = true;
            boolean stopped = stopAtMillis > 0;
            String note = isForced && code == SIGNAL + SIGKILL ? "killed after the grace" : "";
            return new TaskEnd(code, stopped, false, note, System.currentTimeMillis(), log.end());
        }
    }

    private synchronized int start(TaskOrder what) throws IOException {
        order = what;
        if (stopAtMillis > 0) return SIGNAL + SIGTERM;
        if (!what.folder().isEmpty() && !Files.isDirectory(Path.of(what.folder()))) {
            log.note(
                    "fairlead: this node has no folder %s, so the task begins in its container's own"
                            .formatted(what.folder()));
            order = what.inOwnFolder();
        }
        try {
            process =
                    builder(what.command())
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.file().toFile()))
                            .redirectInput(Path.of("/dev/null").toFile())
                            .start();
            return 0;
        } catch (IOException problem) {
            boolean isThere = found(what.command().get(0), path()) != null;
            log.note("fairlead: cannot run " + what.command().get(0) + ": " + reason(problem));
            return isThere ? CANNOT_RUN : NOT_FOUND;
        }
    }

    /** Java's words begin with the whole command. */
    private static String reason(IOException problem) {
        String text = String.valueOf(problem.getMessage());
        int at = text.indexOf("error=");
        return at < 0 ? text : text.substring(text.indexOf(", ", at) + 2);
    }

    /** A command in the task's surroundings. */
    synchronized ProcessBuilder builder(List<String> command) throws IOException {
        if (order == null) throw new IOException("the task has not begun yet");
        var words = new ArrayList<>(command);
        String program = found(words.get(0), path());
        if (program != null) words.set(0, program);
        var builder = new ProcessBuilder(words);
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith(OWN));
        environment.putAll(order.environment());
        if (!order.folder().isEmpty()) builder.directory(Path.of(order.folder()).toFile());
        return builder;
    }

    private String path() {
        String own = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
        return order.environment().getOrDefault("PATH", own);
    }

    /** Java would look where the keeper does, and not where the task says; null if nowhere. */
    private static String found(String program, String path) {
        if (program.contains("/")) return Files.exists(Path.of(program)) ? program : null;
        for (String folder : path.split(":")) {
            Path file = Path.of(folder.isEmpty() ? "." : folder, program);
            if (Files.isExecutable(file) && !Files.isDirectory(file)) return file.toString();
        }
        return null;
    }

    private int await() throws InterruptedException {
        return process.waitFor();
    }

    /** Asks for an end now, and forces it at the time. A repeat changes nothing. */
    void stop(long atMillis) {
        synchronized (this) {
            if (stopAtMillis > 0 || isOver) return;
            stopAtMillis = Math.max(1, atMillis);
            if (process == null) return;
        }
        var thread = new Thread(this::stopInTime, "stop");
        thread.setDaemon(true);
        thread.start();
    }

    private void stopInTime() {
        long left = stopAtMillis - System.currentTimeMillis();
        try {
            if (left > 0) {
                Processes.terminate();
                if (process.waitFor(left, java.util.concurrent.TimeUnit.MILLISECONDS)) return;
            }
            synchronized (this) {
                isForced = true;
            }
            Processes.kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized boolean isRunning() {
        return process != null && !isOver;
    }
}
