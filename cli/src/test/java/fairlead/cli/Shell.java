package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.cli.server.ServerProgram;
import fairlead.cli.server.TransferProgram;
import fairlead.cli.terminal.Terminal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A terminal for tests: types command lines and keeps what they print. The clock stands. */
final class Shell {
    private static final Instant NOW = Instant.parse("2025-11-15T05:00:00Z");

    final Map<String, String> environment = new HashMap<>();
    Path folder = Path.of("/");
    boolean terminal;

    /** What is typed. */
    InputStream input = InputStream.nullInputStream();

    /** Whether the reader of the standard output has gone away. */
    boolean outputBroken;

    /** What the command that is typed now has said so far on its standard error. */
    volatile ByteArrayOutputStream said = new ByteArrayOutputStream();

    ServerProgram program = new ServerProgram(List.of("false"));
    TransferProgram transferProgram = new TransferProgram(List.of());

    /** What a command line left behind. */
    record Result(int code, String out, String err) {
        /** Of a command that succeeded and had nothing to complain about. */
        String output() {
            assertEquals("", err);
            assertEquals(0, code);
            return out;
        }
    }

    private static final class Broken extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
        }
    }

    static Shell of(FakeServer server) {
        var shell = new Shell();
        shell.environment.put("FAIRLEAD_SERVER", server.url().toString());
        shell.environment.put("FAIRLEAD_TOKEN", FakeServer.TOKEN);
        return shell;
    }

    /** Lays out a file below a folder. */
    static void write(Path folder, String file, String text) {
        try {
            Path path = folder.resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Result type(String... words) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        said = err;
        var seen =
                new Terminal(
                        input,
                        outputBroken ? new Broken() : out,
                        err,
                        false,
                        terminal,
                        terminal,
                        environment,
                        folder,
                        InstantSource.fixed(NOW));
        int code = Main.run(words, seen, program, transferProgram);
        return new Result(
                code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** The same command line as a process of its own. */
    Process process(String... words) throws IOException {
        var builder = new ProcessBuilder();
        builder.command().add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        builder.command().add("-cp");
        builder.command().add(System.getProperty("java.class.path"));
        builder.command().add("fairlead.cli.Main");
        builder.command().addAll(List.of(words));
        builder.environment().putAll(environment);
        return builder.start();
    }
}
