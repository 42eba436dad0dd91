package fairlead.cli.server;

import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.HostSystem;
import fairlead.cli.terminal.Terminal;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The program that moves code and data, without its arguments; no words where it is not installed.
 * It is a program of its own because it brings along what storages need, which would slow down
 * every other command.
 */
public record TransferProgram(List<String> command) {
    private static final String MAIN = "fairlead.transfer.Main";

    /** As in ./build, for an image and for laptops. */
    private static final List<String> IMAGE_OPTIONS =
            List.of("-Xmx112m", "-XX:MaxDirectMemorySize=32m", "-Xss512k");

    /** Hashing is many times faster when it is compiled well, which pays for much data alone. */
    private static final Set<String> MOVING = Set.of("upload", "download");

    /** The program ends by itself soon after a signal; then the terminal must be ours again. */
    private static final Duration END_MAX = Duration.ofSeconds(10);

    public TransferProgram {
        command = List.copyOf(command);
    }

    /** That of this installation, on the Java that runs this command. */
    public static TransferProgram installed() {
        Path home = Path.of(System.getProperty("java.home"));
        String java = home.resolve("bin").resolve("java").toString();
        String dist = System.getProperty(ServerProgram.DIST_PROPERTY);
        if (dist != null && Files.exists(Path.of(dist, "transfer.jvm"))) {
            return new TransferProgram(List.of(java, "@" + dist + File.separator + "transfer.jvm"));
        }
        // An image has one jar beside its Java, and the archive for laptops a folder of them.
        Path image = home.resolveSibling("lib").resolve("transfer.jar");
        Path jars = dist == null ? image : Path.of(dist, "lib", "transfer");
        if (!Files.exists(jars)) return new TransferProgram(List.of());
        var command = new ArrayList<String>(List.of(java));
        command.addAll(IMAGE_OPTIONS);
        command.addAll(List.of("-cp", dist == null ? "" + jars : jars + File.separator + "*"));
        return new TransferProgram(command);
    }

    /**
     * Runs it on the command's own terminal, and returns its exit code. Ctrl-C reaches it as it
     * reaches the command, which then waits for its last words.
     */
    public int run(List<String> arguments, Terminal terminal) throws IOException, Failure {
        if (HostSystem.isWindows()) {
            throw new Failure(
                    ExitCode.REFUSED,
                    "code and data cannot be moved from Windows, whose files have no modes and no"
                            + " links as jobs need them; use WSL, where this command works");
        }
        if (command.isEmpty()) {
            throw new Failure(
                    ExitCode.REFUSED,
                    "the program that moves code and data is not installed: lib/transfer is missing"
                            + " beside this command; install fairlead anew, or run ./build");
        }
        var words = new ArrayList<>(command);
        boolean moves = MOVING.contains(arguments.getFirst());
        words.add("-XX:TieredStopAtLevel=" + (moves ? "4" : "1"));
        words.add("-Dfairlead.terminal=" + terminals(terminal));
        words.add(MAIN);
        words.addAll(arguments);
        Process process =
                new ProcessBuilder(words).directory(terminal.folder().toFile()).inheritIO().start();
        var ending = new Thread(() -> end(process), "end of the data program");
        Runtime.getRuntime().addShutdownHook(ending);
        try {
            int code = process.waitFor();
            removeQuietly(ending);
            return code;
        } catch (InterruptedException _) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new Failure(ExitCode.REFUSED, "interrupted");
        }
    }

    private static String terminals(Terminal terminal) {
        return (terminal.inIsTerminal() ? "0" : "")
                + (terminal.outIsTerminal() ? "1" : "")
                + (terminal.errIsTerminal() ? "2" : "");
    }

    /** A signal for this command alone ends the other too; after Ctrl-C it is on its way anyway. */
    private static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(END_MAX.toMillis(), TimeUnit.MILLISECONDS))
                process.destroyForcibly();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where a signal came first the hook runs already, and this command ends with its code. */
    private static void removeQuietly(Thread hook) throws InterruptedException {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            Thread.currentThread().join();
        }
    }
}
