package fairlead.engines.local.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A program that runs containers, with the command line that podman and docker share.
 *
 * @param path absolute
 * @param version as the program gives it, such as {@code podman version 4.3.1}
 */
public record ContainerProgram(String path, String version) {
    /** What is asked for here is far less than a pipe holds, so no call waits for its reader. */
    private static final int OUTPUT_BYTES_MAX = 16_384;

    private static final int NOT_RUN = -1;

    /** How a call ended, and what it said. */
    public record Answer(int code, String text) {
        /** The last line, where these programs say what went wrong. */
        public String reason() {
            return lastLine(text).orElse("exit code " + code);
        }
    }

    /** Also where it goes by the name of docker. */
    public boolean isPodman() {
        return version.toLowerCase(Locale.ROOT).contains("podman");
    }

    /** What these programs say for themselves, without the word that begins all of it. */
    public static Optional<String> lastLine(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .reduce((_, last) -> last)
                .map(line -> line.replaceFirst("^(Error|ERROR|docker): ", ""));
    }

    /**
     * Runs a program of this kind for a moment, as the server's own account.
     *
     * @param secondsMax a daemon that hangs must not hang whoever asks
     */
    public static Answer call(String program, List<String> words, long secondsMax) {
        var command = new ArrayList<>(List.of(program));
        command.addAll(words);
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (var output = process.getInputStream()) {
                process.getOutputStream().close();
                if (!process.waitFor(secondsMax, TimeUnit.SECONDS))
                    return new Answer(NOT_RUN, "no answer within " + secondsMax + " s");
                byte[] said = output.readNBytes(Math.min(output.available(), OUTPUT_BYTES_MAX));
                return new Answer(process.exitValue(), new String(said, UTF_8));
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException problem) {
            return new Answer(NOT_RUN, String.valueOf(problem.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Answer(NOT_RUN, "interrupted");
        }
    }
}
