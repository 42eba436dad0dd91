package fairlead.cluster;

import java.util.Locale;
import java.util.Optional;

/**
 * One GPU of a node.
 *
 * @param type the model's name as the driver gives it, or {@link #DECLARED} where there is no real
 *     one
 * @param memoryBytes zero when unknown
 */
public record Gpu(int index, String type, long memoryBytes) {
    /** The type of one that somebody has declared: nobody knows more of it. */
    public static final String DECLARED = "declared";

    /** Where nobody knows the memory, parts are counted in thousandths of it. */
    private static final long UNKNOWN_UNITS = 1_000;

    /** What can be shared out: bytes of memory, or thousandths. */
    public long units() {
        return memoryBytes > 0 ? memoryBytes : UNKNOWN_UNITS;
    }

    public boolean isOf(Optional<String> wanted) {
        return wanted.isEmpty()
                || type.toLowerCase(Locale.ROOT).contains(wanted.get().toLowerCase(Locale.ROOT));
    }
}
