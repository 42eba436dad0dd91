package fairlead.api.words;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations, sizes and counts as people write them: {@code 1h30m}, {@code 8G}, {@code 12}. What
 * cannot be read is an {@link IllegalArgumentException}, whose message goes on behind the name of a
 * field.
 */
public final class Amounts {
    private static final Pattern DURATION =
            Pattern.compile("(?:(\\d+)d)?(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?(?:(\\d+)ms)?");
    private static final long[] DURATION_MILLIS = {86_400_000, 3_600_000, 60_000, 1_000, 1};
    private static final String[] DURATION_UNITS = {"d", "h", "m", "s", "ms"};
    private static final Pattern SIZE = Pattern.compile("(\\d+)(?:([KMGTkmgt])(?:iB?)?)?");
    private static final String SIZE_UNITS = "KMGTP";

    /** The largest unit that we write; what reads more is Kubernetes. */
    private static final int POWER_MAX = 4;

    private Amounts() {}

    /** Reads {@code 90s}, {@code 30m}, {@code 4h}, {@code 2d}, {@code 500ms} or a row of these. */
    public static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            throw new IllegalArgumentException(
                    "must be a number with a unit, such as 90s, 30m, 4h, 2d or 1h30m, but is '"
                            + shown(text)
                            + "'");
        }
        try {
            long millis = 0;
            for (int i = 0; i < DURATION_MILLIS.length; i++) {
                if (matcher.group(i + 1) == null) continue;
                long amount = Long.parseLong(matcher.group(i + 1));
                millis = Math.addExact(millis, Math.multiplyExact(amount, DURATION_MILLIS[i]));
            }
            return Duration.ofMillis(millis);
        } catch (ArithmeticException | NumberFormatException _) {
            throw new IllegalArgumentException("is too long: " + shown(text));
        }
    }

    /** The form that {@link #duration} reads back; for whole milliseconds. */
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
    public static long bytes(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "must be a whole number with a unit, such as 512M, 8G or 1T, but is '"
                            + shown(text)
                            + "'");
        }
        try {
            long amount = Long.parseLong(matcher.group(1));
            return Math.multiplyExact(amount, unit(matcher.group(2), 1_024).longValueExact());
        } catch (ArithmeticException | NumberFormatException _) {
            throw new IllegalArgumentException("is too large: " + shown(text));
        }
    }

    /**
     * What a unit stands for.
     *
     * @param letter of a thousand or more, in either case; null or empty for none
     * @param base 1,000, or 1,024 as for memory
     */
    public static BigDecimal unit(String letter, int base) {
        if (letter == null || letter.isEmpty()) return BigDecimal.ONE;
        int power = 1 + SIZE_UNITS.indexOf(Character.toUpperCase(letter.charAt(0)));
        if (power == 0) throw new IllegalArgumentException("not a unit: " + letter);
        return BigDecimal.valueOf(base).pow(power);
    }

    public static long whole(String text, long least, long most) {
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) return number;
        } catch (NumberFormatException _) {
            // Refused below, together with a number that is out of bounds.
        }
        throw new IllegalArgumentException(
                "must be a whole number from %d to %d, but is '%s'"
                        .formatted(least, most, shown(text)));
    }

    /** The form that {@link #bytes} reads back, in the largest unit that loses nothing. */
    public static String text(long bytes) {
        if (bytes < 0) throw new IllegalArgumentException("a negative size: " + bytes);
        for (int power = POWER_MAX; power > 0; power--) {
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
