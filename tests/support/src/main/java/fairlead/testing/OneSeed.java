package fairlead.testing;

import java.util.Optional;

/**
 * The seed of a test that takes too long to be repeated for many, as {@link Seeds} does: {@code
 * --seeds} does not count for it, {@code -Dfairlead.seed=N} does.
 */
public final class OneSeed {
    private OneSeed() {}

    public static long or(long usual) {
        return asked().orElse(usual);
    }

    /** The one that somebody wants to see again. */
    static Optional<Long> asked() {
        return Optional.ofNullable(Long.getLong("fairlead.seed"));
    }
}
