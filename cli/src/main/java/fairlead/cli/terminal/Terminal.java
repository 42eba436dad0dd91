package fairlead.cli.terminal;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * Everything that a command sees of the shell that called it.
 *
 * @param inIsTerminal whether a person types the standard input
 * @param outIsTerminal whether a person watches the standard output, so that colour makes sense
 * @param folder where the command was called
 */
public record Terminal(
        InputStream in,
        OutputStream out,
        OutputStream err,
        boolean inIsTerminal,
        boolean outIsTerminal,
        boolean errIsTerminal,
        Map<String, String> environment,
        Path folder,
        InstantSource clock) {
    public boolean colour() {
        return outIsTerminal && environment.getOrDefault("NO_COLOR", "").isEmpty();
    }
}
