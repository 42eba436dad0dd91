package fairlead.transfer;

import java.util.Locale;

/** Sizes, rates and times in the words of people. */
public final class Sizes {
    private static final String[] UNITS = {"B", "KB", "MB", "GB", "TB", "PB"};

    private Sizes() {}

    /** With decimal units, as disks and networks are sold. */
    public static String of(long bytes) {
        double size = bytes;
        int unit = 0;
        while (size >= 999.5 && unit < UNITS.length - 1) {
            size /= 1000;
            unit++;
        }
        if (unit == 0) return bytes + " B";
        return String.format(Locale.ROOT, size < 9.95 ? "%.1f %s" : "%.0f %s", size, UNITS[unit]);
    }

    public static String files(long count) {
        return count == 1 ? "1 file" : String.format(Locale.ROOT, "%,d files", count);
    }

    /** Such as {@code 0:07} or {@code 1:02:03}. */
    static String time(long seconds) {
        return seconds < 3600
                ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
                : String.format(
                        Locale.ROOT,
                        "%d:%02d:%02d",
                        seconds / 3600,
                        seconds / 60 % 60,
                        seconds % 60);
    }
}
