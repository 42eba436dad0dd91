package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import fairlead.api.client.ServerFile;
import fairlead.testing.Eventually;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Fairlead as one user has it: the launcher and a home folder of its own. Closing it stops the
 * server and every task.
 */
final class Installation implements AutoCloseable {
    private static final Duration COMMAND_MAX = Duration.ofSeconds(120);

    /** In /proc/PID/stat, counted from the one after the name. */
    private static final int THREADS_FIELD = 17;

    /** As a server makes its home; of one that others can read it would say a word first. */
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /** As a server makes its files. */
    private static final Set<PosixFilePermission> FILE_OF_OWNER =
            PosixFilePermissions.fromString("rw-------");

    private final Path launcher = launcher();
    private final Path home;
    private final List<Process> bareServers = new ArrayList<>();

    /** What a command printed and how it ended. */
    record Result(int code, String out, String err) {
        Result expect(int wanted) {
            if (code != wanted) fail("exit code " + code + " instead of " + wanted + "\n" + this);
            return this;
        }
    }

    Installation(Path home) {
        this.home = home;
    }

    /**
     * With lines for the server's file of settings. Images are not used, whatever is installed on
     * the machine.
     */
    static Installation withSettings(Path home, String... lines) throws IOException {
        Files.createDirectories(home, OWNER_ONLY);
        var all = new ArrayList<>(List.of(lines));
        all.add("container-program = none");
        Path settings = Files.write(home.resolve("settings"), all);
        Files.setPosixFilePermissions(settings, FILE_OF_OWNER);
        return new Installation(home);
    }

    private static Path launcher() {
        String given = System.getProperty("fairlead.launcher");
        Path launcher = given != null ? Path.of(given) : Path.of("..", "..", "fairlead");
        assertTrue(Files.isExecutable(launcher), launcher + " is not there");
        return launcher.toAbsolutePath().normalize();
    }

    /** The checkout that is being tested. */
    static Path root() {
        return launcher().getParent();
    }

    Path home() {
        return home;
    }

    Result run(String... arguments) {
        return run(Path.of(System.getProperty("java.io.tmpdir")), Map.of(), arguments);
    }

    Result run(Path folder, Map<String, String> environment, String... arguments) {
        var command = new ArrayList<String>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        return execute(folder, environment, command);
    }

    /** What a user types into a shell that stands in the checkout and knows the command. */
    Result type(String line) {
        String path = root() + ":" + System.getenv("PATH");
        // The logs that queries fetch must not lie about in the checkout.
        String assets = home.resolve("assets").toString();
        var environment = Map.of("PATH", path, "AML_LOG_FOLDER", assets);
        return execute(root(), environment, List.of("sh", "-c", line));
    }

    /** The server's program itself, which a command would not start a second time. */
    Result bareServer() throws IOException {
        return execute(home, Map.of(), bareServerCommand());
    }

    /** The same, left running, with an environment that a command would not pass on. */
    Process startBareServer(Map<String, String> environment) throws IOException {
        Files.createDirectories(home);
        Path output = home.resolve("output");
        Process process = start(home, environment, output, output, bareServerCommand());
        bareServers.add(process);
        awaitServer(process);
        return process;
    }

    private List<String> bareServerCommand() throws IOException {
        Path build = root().resolve(".build");
        String java = Files.readString(build.resolve("java")).strip();
        String dist = Files.readString(build.resolve("current")).strip();
        return List.of(
                java + "/bin/java",
                "@" + dist + "/server.jvm",
                "fairlead.server.Main",
                "--home",
                home.toString());
    }

    /**
     * The server's program with its own options and one more, begun by a class of these tests that
     * takes orders by the standard input. Returns when it serves.
     */
    Process startServer(String option, Class<?> main) throws IOException {
        Path build = root().resolve(".build");
        String java = Files.readString(build.resolve("java")).strip();
        Path dist = Path.of(Files.readString(build.resolve("current")).strip());
        var command = new ArrayList<>(List.of(java + "/bin/java"));
        String quotes = "^\"|\"$";
        for (String line : Files.readAllLines(dist.resolve("server.jvm"))) {
            // The cache is for the program's class path alone.
            if (!line.contains("AOTCache")) command.add(line.replaceAll(quotes, ""));
        }
        int classPath = command.indexOf("-cp") + 1;
        String tests = Path.of("target", "test-classes").toAbsolutePath().toString();
        command.set(classPath, command.get(classPath) + ":" + tests);
        command.addAll(List.of(option, main.getName(), "--home", home.toString()));
        Path output = home.resolve("output");
        Process process =
                new ProcessBuilder(command)
                        .directory(home.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        bareServers.add(process);
        awaitServer(process);
        return process;
    }

    /** Of one that was killed the file is still there, with another process in it. */
    private void awaitServer(Process process) throws IOException {
        Path file = home.resolve(ServerFile.NAME);
        Eventually.when("the server", () -> Files.exists(file) && server().pid() == process.pid());
    }

    private Result execute(Path folder, Map<String, String> environment, List<String> command) {
        try {
            Path out = Files.createTempFile("fairlead", ".out");
            Path err = Files.createTempFile("fairlead", ".err");
            Process process = start(folder, environment, out, err, command);
            if (!process.waitFor(COMMAND_MAX.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                fail(
                        String.join(" ", command)
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

    /** Starts a command in the home's parent and leaves it running; its output goes to a file. */
    Process start(Path output, String... arguments) throws IOException {
        var command = new ArrayList<String>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        return start(home.getParent(), Map.of(), output, output, command);
    }

    private Process start(
            Path folder, Map<String, String> environment, Path out, Path err, List<String> command)
            throws IOException {
        var builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(out.toFile()))
                        .redirectError(ProcessBuilder.Redirect.appendTo(err.toFile()));
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
        Eventually.when("the server's end", () -> !isAlive(Long.toString(pid)));
    }

    /** Whether the process has not ended; one that its parent has not yet buried has. */
    static boolean isAlive(String pid) {
        try {
            String stat = Files.readString(Path.of("/proc", pid, "stat"), ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return !fields[0].equals("Z") || !fields[THREADS_FIELD].equals("1");
        } catch (IOException _) {
            return false;
        }
    }

    /** Asks without commands where it can: each takes as long as many such questions. */
    @Override
    public void close() {
        var caller = new Caller(this);
        // One that is gone may have left tasks, so a command starts it again.
        if (active(caller).isEmpty()) run("list");
        List<String> jobs = active(caller).orElse(List.of());
        if (!jobs.isEmpty()) {
            var abort = new ArrayList<>(List.of("abort"));
            abort.addAll(jobs);
            run(abort.toArray(String[]::new));
        }
        Eventually.when("the last task's end", () -> active(caller).orElse(List.of()).isEmpty());
        run("server", "stop");
        // And whatever the stop did not reach.
        bareServers.forEach(Process::destroyForcibly);
    }

    /** The ids of the jobs that wait or run; nothing when no server answers. */
    private static Optional<List<String>> active(Caller caller) {
        return caller.call("GET", "/v1/jobs?state=active&limit=1000", null)
                .filter(reply -> reply.status() == 200)
                .map(Caller.Reply::ids);
    }
}
