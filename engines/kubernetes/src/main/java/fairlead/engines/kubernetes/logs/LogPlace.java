package fairlead.engines.kubernetes.logs;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * How far a pod's log was copied: the time stamp of the last line, how many whole lines before it
 * bear the same one, and how many bytes of the last line were had. The API server can only resume
 * at a whole second, so a resumed copy passes over everything up to here.
 *
 * @param logEnd where our own log ended when this was true
 */
public record LogPlace(Optional<Instant> stamp, long lines, long bytes, long logEnd) {
    public static final LogPlace START = new LogPlace(Optional.empty(), 0, 0, 0);

    public LogPlace at(long end) {
        return new LogPlace(stamp, lines, bytes, end);
    }

    public String text() {
        return "%s %d %d %d"
                .formatted(stamp.map(Instant::toString).orElse("-"), lines, bytes, logEnd);
    }

    /** Anything unreadable is the start: then the bytes that we have are passed over by count. */
    public static LogPlace parse(String text) {
        String[] words = text.strip().split(" ");
        if (words.length != 4) return START;
        try {
            Optional<Instant> stamp =
                    words[0].equals("-") ? Optional.empty() : Optional.of(Instant.parse(words[0]));
            return new LogPlace(
                    stamp,
                    Long.parseLong(words[1]),
                    Long.parseLong(words[2]),
                    Long.parseLong(words[3]));
        } catch (NumberFormatException | DateTimeException _) {
            return START;
        }
    }
}
