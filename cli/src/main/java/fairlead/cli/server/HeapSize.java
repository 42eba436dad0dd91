package fairlead.cli.server;

import fairlead.api.words.Amounts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory that a server shall have, as its flag or its settings say it: whoever starts a Java
 * process must say so before it runs. The server itself reads the same words, and refuses wrong
 * ones.
 */
final class HeapSize {
    private static final Pattern LINE = Pattern.compile("\\s*memory\\s*=\\s*(.*?)\\s*");

    /** Less than this the server refuses, which it can do only if it starts. */
    private static final long LEAST_BYTES = 64L << 20;

    /** More than this Java refuses in words of its own; the server does from the machine's on. */
    private static final long MOST_BYTES = 1L << 44;

    private HeapSize() {}

    /** The option for Java; empty: the usual share of the machine's memory. */
    static Optional<String> option(List<String> arguments, Path settings) throws IOException {
        Optional<String> text = flag(arguments);
        if (text.isEmpty()) text = line(settings);
        return text.flatMap(HeapSize::bytes)
                .filter(bytes -> bytes >= LEAST_BYTES && bytes <= MOST_BYTES)
                .map(bytes -> "-Xmx" + bytes);
    }

    private static Optional<String> flag(List<String> arguments) {
        int at = arguments.indexOf("--memory");
        return at < 0 || at + 1 >= arguments.size()
                ? Optional.empty()
                : Optional.of(arguments.get(at + 1));
    }

    private static Optional<String> line(Path settings) throws IOException {
        if (!Files.isReadable(settings)) return Optional.empty();
        for (String line : Files.readAllLines(settings)) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) return Optional.of(matcher.group(1));
        }
        return Optional.empty();
    }

    private static Optional<Long> bytes(String text) {
        try {
            return Optional.of(Amounts.bytes(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
