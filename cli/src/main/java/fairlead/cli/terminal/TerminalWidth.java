package fairlead.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How many characters fit into a line. */
public final class TerminalWidth {
    private static final int USUAL = 80;

    /** A wider line is hard to follow with the eye. */
    private static final int MOST = 120;

    private static final Duration ANSWER_MAX = Duration.ofSeconds(1);

    private TerminalWidth() {}

    /** What COLUMNS says, or the terminal itself; the usual width where nobody watches. */
    public static int of(Terminal terminal) {
        int said = number(terminal.environment().getOrDefault("COLUMNS", ""));
        if (said > 0) return Math.min(said, MOST);
        int asked = terminal.outIsTerminal() ? asked() : 0;
        return asked > 0 ? Math.min(asked, MOST) : USUAL;
    }

    /** By a process of its own: too slow for every command, but this is for those that draw. */
    private static int asked() {
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
            return number(answer.strip().replaceFirst("^\\d+ ", ""));
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
