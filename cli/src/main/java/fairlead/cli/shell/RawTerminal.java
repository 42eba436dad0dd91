package fairlead.cli.shell;

import fairlead.cli.terminal.Signals;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The user's terminal while every key goes elsewhere as it is, by the program stty. It is as before
 * after {@link #close}, and also when a signal ends this command.
 */
final class RawTerminal {
    /** In characters. */
    record Size(int rows, int columns) {}

    private static final File TERMINAL = new File("/dev/tty");
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final Size USUAL = new Size(24, 80);

    private final Thread hook = new Thread(this::restore, "terminal");
    private String before = "";

    /** Windows has no such terminals. */
    static boolean isPossible() {
        return TERMINAL.exists();
    }

    /** The usual one where the terminal does not know. */
    Size size() throws IOException {
        String[] words = stty("size").split(" ");
        boolean isKnown = words.length == 2 && words[0].matches("[1-9]\\d{0,3}");
        if (!isKnown || !words[1].matches("[1-9]\\d{0,3}")) return USUAL;
        return new Size(Integer.parseInt(words[0]), Integer.parseInt(words[1]));
    }

    /** From now on keys are only read, and changes of the size are passed on. */
    void begin(Consumer<Size> resized) throws IOException {
        before = stty("-g");
        Runtime.getRuntime().addShutdownHook(hook);
        Signals.on(
                "WINCH",
                () -> {
                    try {
                        resized.accept(size());
                    } catch (IOException _) {
                        // The terminal has just gone away; the next read of it shows that.
                        return;
                    }
                });
        stty("raw", "-echo");
    }

    void close() {
        if (before.isEmpty()) return;
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // A signal has come, and the hook is at it already.
            return;
        }
        restore();
    }

    private void restore() {
        try {
            stty(before);
        } catch (IOException _) {
            // Without the terminal there is nothing to set right.
            return;
        }
    }

    private static String stty(String... words) throws IOException {
        var command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(words));
        Process stty =
                new ProcessBuilder(command)
                        .redirectInput(TERMINAL)
                        .redirectErrorStream(true)
                        .start();
        try {
            if (!stty.waitFor(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                stty.destroyForcibly();
                throw new IOException("stty does not answer");
            }
            byte[] answer = stty.getInputStream().readAllBytes();
            String text = new String(answer, StandardCharsets.US_ASCII).strip();
            if (stty.exitValue() != 0) throw new IOException("the terminal cannot be set: " + text);
            return text;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted");
        }
    }
}
