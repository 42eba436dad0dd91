package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import fairlead.api.ServerFile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Fairlead as one user has it: the launcher and a home folder of its own. Closing it stops the
 * server and every task.
 */
final class Installation implements AutoCloseable {
    private static final Duration COMMAND_MAX = Duration.ofSeconds(120);
    private static final Duration POLL = Duration.ofMillis(10);

    private final Path launcher;
    private final Path home;

    /** What a command printed and how it ended. */
    record Result(int code, String out, String err) {
        Result expect(int wanted) {
            if (code != wanted) fail("exit code " + code + " instead of " + wanted + "\n" + this);
            return this;
        }
    }

    Installation(Path home) {
        String given = System.getProperty("fairlead.launcher");
        launcher =
                (given != null ? Path.of(given) : Path.of("..", "fairlead"))
                        .toAbsolutePath()
                        .normalize();
        assertTrue(Files.isExecutable(launcher), launcher + " is not there");
        this.home = home;
    }

    Path home() {
        return home;
    }

    Result run(String... arguments) {
        return run(Path.of(System.getProperty("java.io.tmpdir")), Map.of(), arguments);
    }

    Result run(Path folder, Map<String, String> environment, String... arguments) {
        try {
            Path out = Files.createTempFile("fairlead", ".out");
            Path err = Files.createTempFile("fairlead", ".err");
            Process process = start(folder, environment, out, err, arguments);
            if (!process.waitFor(COMMAND_MAX.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                fail(
                        "fairlead "
                                + String.join(" ", arguments)
                                + " did not end: "
                                + Files.readString(out)
                                + Files.readString(err));
            }
            var result =
                    new Result(process.exitValue(), Files.readString(out), Files.readString(err));
            Files.delete(out);
            Files.delete(err);
            return result;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts a command and leaves it running. */
    Process start(
            Path folder, Map<String, String> environment, Path out, Path err, String... arguments)
            throws IOException {
        var command = new ArrayList<String>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        var builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("FAIRLEAD_"));
        builder.environment().put("FAIRLEAD_HOME", home.toString());
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** The one id that a submit printed. */
    String submit(String... arguments) {
        return run(arguments).expect(0).out().strip();
    }

    ServerFile server() throws IOException {
        return ServerFile.read(Files.readAllBytes(home.resolve(ServerFile.NAME)));
    }

    /** As if the power of the server alone were cut: no signal handler runs. */
    void killServer() throws IOException {
        long pid = server().pid();
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        await("the server's end", () -> ProcessHandle.of(pid).map(p -> !p.isAlive()).orElse(true));
    }

    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + COMMAND_MAX.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) fail("waited in vain for " + what);
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    @Override
    public void close() {
        for (String line :
                run("list", "--state", "active", "--limit", "10000", "--json")
                        .out()
                        .split("\"id\":\"")) {
            int end = line.indexOf('"');
            if (end > 0 && line.substring(0, end).matches(".*_\\d+_[0-9a-f]{8}"))
                run("abort", line.substring(0, end));
        }
        await(
                "the last task's end",
                () -> !run("list", "--state", "active", "--json").out().contains("_"));
        run("server", "stop");
    }
}
