package fairlead.cli;

import java.io.OutputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * Everything that a command sees of the shell that called it.
 *
 * @param outIsTerminal whether a person watches the standard output, so that colour makes sense
 * @param folder where the command was called
 */
public record Terminal(
        OutputStream out,
        OutputStream err,
        boolean outIsTerminal,
        boolean errIsTerminal,
        Map<String, String> environment,
        Path folder,
        InstantSource clock) {
    public boolean colour() {
        return outIsTerminal && environment.getOrDefault("NO_COLOR", "").isEmpty();
    }
}
