package fairlead.job;

import java.time.Instant;
import java.util.Optional;

/**
 * When a waiting job was told that it would start.
 *
 * @param kept whether its first start fell between earliest and latest; empty until it has started
 */
public record Prediction(
        Instant earliest, Instant expected, Instant latest, Optional<Boolean> kept) {
    public Prediction {
        if (expected.isBefore(earliest) || latest.isBefore(expected)) {
            throw new IllegalArgumentException(
                    "not in order: " + earliest + ", " + expected + ", " + latest);
        }
    }

    public static Prediction of(Instant earliest, Instant expected, Instant latest) {
        return new Prediction(earliest, expected, latest, Optional.empty());
    }

    Prediction judged(Instant start) {
        boolean isInside = !start.isBefore(earliest) && !start.isAfter(latest);
        return new Prediction(earliest, expected, latest, kept.or(() -> Optional.of(isInside)));
    }
}
