package fairlead.cli.help;

import fairlead.cli.terminal.Output;
import fairlead.cli.terminal.Terminal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Shows a long text: through the user's pager on a terminal, and as it is everywhere else. */
public final class Pager {
    /** Ends at once where all of it fits, keeps colours, and leaves the text on the screen. */
    private static final String USUAL = "less -FRX";

    private Pager() {}

    public static void show(String text, Terminal terminal, Output out) throws IOException {
        String pager = terminal.environment().getOrDefault("PAGER", USUAL);
        boolean isPaged = terminal.outIsTerminal() && !pager.isBlank();
        out.flush();
        if (!isPaged || !run(pager, text, terminal)) out.print(text);
    }

    /** Whether there is such a pager. One that its user leaves early has done its work. */
    private static boolean run(String pager, String text, Terminal terminal) throws IOException {
        String program = pager.strip().split(" ")[0];
        var command =
                List.of("sh", "-c", "command -v " + quoted(program) + " >&2 || exit 127; " + pager);
        Process process;
        try {
            var builder = new ProcessBuilder(command);
            builder.environment().put("PATH", terminal.environment().getOrDefault("PATH", ""));
            process =
                    builder.directory(terminal.folder().toFile())
                            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
        } catch (IOException _) {
            return false;
        }
        try (var in = process.getOutputStream()) {
            in.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException _) {
            // Its reader has seen enough.
        }
        try {
            return process.waitFor() != 127;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
