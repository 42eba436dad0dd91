package fairlead.cli.server;

import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Terminal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * A program on the server's class path that a verb hands its work to: the command itself has
 * neither policies nor a journal. It has the same terminal, and ends with the command.
 */
public final class Tool {
    private final ServerProgram program;
    private final Terminal terminal;

    public Tool(ServerProgram program, Terminal terminal) {
        this.program = program;
        this.terminal = terminal;
    }

    /** Copies what it prints, and returns its exit code. A reader that goes away ends it. */
    public int run(String main, List<String> arguments, OutputStream out)
            throws IOException, Failure {
        program.requireHere();
        var command = new ArrayList<>(program.tool(main));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).directory(terminal.folder().toFile()).start();
        process.getOutputStream().close();
        var errors = Thread.ofVirtual().start(() -> pass(process.getErrorStream(), terminal.err()));
        try {
            process.getInputStream().transferTo(out);
            errors.join();
            return process.waitFor();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Failure(ExitCode.REFUSED, "interrupted");
        } finally {
            process.destroy();
        }
    }

    private static void pass(InputStream from, OutputStream to) {
        try (from) {
            from.transferTo(to);
        } catch (IOException _) {
            // Nobody reads the errors any more; the exit code still speaks.
            return;
        }
    }
}
