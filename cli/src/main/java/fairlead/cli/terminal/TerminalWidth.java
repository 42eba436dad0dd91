package fairlead.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How many characters fit into a line, and how many lines on the screen. */
public final class TerminalWidth {
    private static final int USUAL = 80;
    private static final int USUAL_LINES = 24;

    /** A wider line is hard to follow with the eye. */
    private static final int MOST = 120;

    private static final Duration ANSWER_MAX = Duration.ofSeconds(1);

    private TerminalWidth() {}

    /** What COLUMNS says, or the terminal itself; the usual width where nobody watches. */
    public static int of(Terminal terminal) {
        int said = number(terminal.environment().getOrDefault("COLUMNS", ""));
        if (said > 0) return Math.min(said, MOST);
        int asked = terminal.outIsTerminal() ? asked(1) : 0;
        return asked > 0 ? Math.min(asked, MOST) : USUAL;
    }

    /** What LINES says, or the terminal itself. */
    public static int lines(Terminal terminal) {
        int said = number(terminal.environment().getOrDefault("LINES", ""));
        if (said > 0) return said;
        int asked = terminal.outIsTerminal() ? asked(0) : 0;
        return asked > 0 ? asked : USUAL_LINES;
    }

    /**
     * Its lines, or its columns; 0 where it does not say. By a process of its own: too slow for
     * every command, but this is for those that draw.
     */
    private static int asked(int part) {
        try {
            Process stty =
                    new ProcessBuilder("stty", "size")
                            .redirectInput(new File("/dev/tty"))
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (!stty.waitFor(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                stty.destroyForcibly();
                return 0;
            }
            var answer =
                    new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            String[] size = answer.strip().split(" ");
            return size.length == 2 ? number(size[part]) : 0;
        } catch (IOException _) {
            return 0;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private static int number(String text) {
        return text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
    }
}
