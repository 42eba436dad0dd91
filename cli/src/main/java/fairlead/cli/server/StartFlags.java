package fairlead.cli.server;

import fairlead.api.HomeFolder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The flags of the last {@code server start} in a home, a word a line. A server that starts by
 * itself has them too, so that after a crash it comes back as it was.
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

    void keep(List<String> flags) throws IOException {
        List<String> lasting = flags.stream().filter(word -> !word.equals(NEW_JOURNAL)).toList();
        try (var channel =
                HomeFolder.open(
                        file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            var text = ByteBuffer.wrap(String.join("\n", lasting).getBytes(StandardCharsets.UTF_8));
            while (text.hasRemaining()) channel.write(text);
        }
    }
}
