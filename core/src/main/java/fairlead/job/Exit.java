package fairlead.job;

import java.time.Instant;
import java.util.OptionalInt;

/**
 * How one task ended.
 *
 * @param code as a shell reports it: 128 + signal when killed; empty when the task is lost and
 *     nobody knows
 * @param stopped whether the engine had asked it to stop before it ended
 * @param outOfMemory whether it was killed because it took more memory than it may have
 * @param note for people: why there is no code, or who killed it; may be empty
 */
public record Exit(
        OptionalInt code, boolean stopped, boolean outOfMemory, String note, Instant at) {
    /** Killed for other reasons than its memory, or not at all. */
    public Exit(OptionalInt code, boolean stopped, String note, Instant at) {
        this(code, stopped, false, note, at);
    }

    public static Exit of(int code, Instant at) {
        return new Exit(OptionalInt.of(code), false, "", at);
    }

    public static Exit stopped(int code, String note, Instant at) {
        return new Exit(OptionalInt.of(code), true, note, at);
    }

    public static Exit lost(String note, Instant at) {
        return new Exit(OptionalInt.empty(), false, note, at);
    }

    public boolean succeeded() {
        return code.isPresent() && code.getAsInt() == 0;
    }

    public boolean isLost() {
        return code.isEmpty();
    }
}
