package fairlead.cli.terminal;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.InstantSource;
import java.time.ZoneId;
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
    /** Where the user's clock is; a TZ that Java does not know leaves the machine's. */
    public ZoneId zone() {
        try {
            String zone = environment.getOrDefault("TZ", "").replaceFirst("^:", "");
            return zone.isEmpty() ? ZoneId.systemDefault() : ZoneId.of(zone);
        } catch (DateTimeException _) {
            return ZoneId.systemDefault();
        }
    }

    public boolean colour() {
        return outIsTerminal && environment.getOrDefault("NO_COLOR", "").isEmpty();
    }
}
