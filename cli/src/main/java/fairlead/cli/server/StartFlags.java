package fairlead.cli.server;

import fairlead.api.client.HomeFolder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The flags of the last {@code server start} that had any, in a home, a word a line. A start
 * without flags, by a person or by a command that needs a server, has them too, so that a server
 * comes back as it was.
 */
record StartFlags(Path file) {
    /** Means one start: kept, it would begin anew after every loss of a journal. */
    private static final String NEW_JOURNAL = "--new-journal";

    static StartFlags in(Path home) {
        return new StartFlags(home.resolve("start.flags"));
    }

    List<String> kept() throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** Without those that mean one start. */
    static List<String> lasting(List<String> flags) {
        return flags.stream().filter(word -> !word.equals(NEW_JOURNAL)).toList();
    }

    void keep(List<String> flags) throws IOException {
        try (var channel =
                HomeFolder.open(
                        file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            var text =
                    ByteBuffer.wrap(
                            String.join("\n", lasting(flags)).getBytes(StandardCharsets.UTF_8));
            while (text.hasRemaining()) channel.write(text);
        }
    }
}
