package fairlead.server.wire;

import fairlead.job.SpecException;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and sizes as people write them: {@code 1h30m}, {@code 8G}. */
public final class Units {
    private static final Pattern DURATION =
            Pattern.compile("(?:(\\d+)d)?(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?(?:(\\d+)ms)?");
    private static final long[] DURATION_MILLIS = {86_400_000, 3_600_000, 60_000, 1_000, 1};
    private static final String[] DURATION_UNITS = {"d", "h", "m", "s", "ms"};
    private static final Pattern SIZE = Pattern.compile("(\\d+)(?:([KMGTkmgt])(?:iB?)?)?");
    private static final String SIZE_UNITS = "KMGT";

    private Units() {}

    /** Reads {@code 90s}, {@code 30m}, {@code 4h}, {@code 2d}, {@code 500ms} or a row of these. */
    public static Duration duration(String text, String field) {
        Matcher matcher = DURATION.matcher(text);
        SpecException.unless(
                !text.isEmpty() && matcher.matches(),
                field,
                "must be a number with a unit, such as 90s, 30m, 4h, 2d or 1h30m, but is '"
                        + shown(text)
                        + "'");
        try {
            long millis = 0;
            for (int i = 0; i < DURATION_MILLIS.length; i++) {
                if (matcher.group(i + 1) == null) continue;
                long amount = Long.parseLong(matcher.group(i + 1));
                millis = Math.addExact(millis, Math.multiplyExact(amount, DURATION_MILLIS[i]));
            }
            return Duration.ofMillis(millis);
        } catch (ArithmeticException | NumberFormatException _) {
            throw new SpecException(field, "is too long: " + shown(text));
        }
    }

    /** The form that {@link #duration(String, String)} reads back; for whole milliseconds. */
    public static String text(Duration duration) {
        long left = duration.toMillis();
        if (left < 0 || !Duration.ofMillis(left).equals(duration)) {
            throw new IllegalArgumentException("not a whole number of milliseconds: " + duration);
        }
        if (left == 0) return "0s";
        var text = new StringBuilder();
        for (int i = 0; i < DURATION_MILLIS.length; i++) {
            long amount = left / DURATION_MILLIS[i];
            if (amount > 0) text.append(amount).append(DURATION_UNITS[i]);
            left %= DURATION_MILLIS[i];
        }
        return text.toString();
    }

    /** Reads bytes, {@code 512M}, {@code 8G}, {@code 8GiB}, {@code 1T}: powers of 1024. */
    public static long bytes(String text, String field) {
        Matcher matcher = SIZE.matcher(text);
        SpecException.unless(
                matcher.matches(),
                field,
                "must be a whole number with a unit, such as 512M, 8G or 1T, but is '"
                        + shown(text)
                        + "'");
        try {
            long amount = Long.parseLong(matcher.group(1));
            if (matcher.group(2) == null) return amount;
            int power = SIZE_UNITS.indexOf(Character.toUpperCase(matcher.group(2).charAt(0))) + 1;
            return Math.multiplyExact(amount, 1L << 10 * power);
        } catch (ArithmeticException | NumberFormatException _) {
            throw new SpecException(field, "is too large: " + shown(text));
        }
    }

    /** The form that {@link #bytes} reads back, in the largest unit that loses nothing. */
    public static String text(long bytes) {
        if (bytes < 0) throw new IllegalArgumentException("a negative size: " + bytes);
        for (int power = SIZE_UNITS.length(); power > 0; power--) {
            long unit = 1L << 10 * power;
            if (bytes >= unit && bytes % unit == 0) {
                return bytes / unit + String.valueOf(SIZE_UNITS.charAt(power - 1));
            }
        }
        return Long.toString(bytes);
    }

    /** Enough to recognise one's own text in a message. */
    private static String shown(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "...";
    }
}
