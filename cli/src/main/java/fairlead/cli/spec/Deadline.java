package fairlead.cli.spec;

import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;

/** When a job is needed, as people write it: a time, or how long from now. */
public final class Deadline {
    /** As far as a time limit may be; farther is a slip of the finger. */
    private static final Duration FARTHEST = Duration.ofDays(3_650);

    private Deadline() {}

    /**
     * Reads {@code 8h}, {@code 2026-11-15T18:00:00Z}, or a time without a zone, which is this
     * machine's.
     */
    public static Instant of(String text, Instant now) throws UsageException {
        Instant deadline;
        try {
            deadline = read(text, now);
        } catch (DateTimeParseException | UsageException _) {
            throw new UsageException(
                    "must be a time such as 2026-11-15T18:00, or how long from now, such as 8h,"
                            + " but is '"
                            + text
                            + "'");
        } catch (DateTimeException | ArithmeticException _) {
            deadline = Instant.MAX;
        }
        if (deadline.isAfter(now.plus(FARTHEST))) {
            throw new UsageException("is more than ten years away: '" + text + "'");
        }
        return deadline;
    }

    private static Instant read(String text, Instant now) throws UsageException {
        if (text.matches("\\d{1,9}[dhmsDHMS].*")) {
            return now.plus(Words.duration(text)).truncatedTo(ChronoUnit.SECONDS);
        }
        String time = text.replace(' ', 'T');
        return hasZone(time)
                ? Instant.parse(time)
                : LocalDateTime.parse(time).atZone(ZoneId.systemDefault()).toInstant();
    }

    private static boolean hasZone(String time) {
        return time.matches("(?i).*T.*(Z|[+-]\\d\\d(:?\\d\\d)?)");
    }
}
