package fairlead.server.runtime;

import fairlead.wire.Units;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What is left on the disk of a home. New jobs are refused while it is little, so that those that
 * run can still write their logs; as soon as there is room, they are taken again. Any thread.
 */
public record DiskRoom(Path home) {
    /** As much as two tasks' logs. */
    private static final long LEAST_MAX = 512L << 20;

    /** Of a small disk, a fiftieth. */
    private static final long PART = 50;

    /** Why no new job is taken; empty when there is room. */
    public Optional<String> trouble() {
        long whole = home.toFile().getTotalSpace();
        return trouble(home.toFile().getUsableSpace(), whole);
    }

    /**
     * @param whole how much the disk holds; 0 where nobody knows
     */
    Optional<String> trouble(long left, long whole) {
        long least = Math.min(LEAST_MAX, whole / PART);
        if (left >= least) return Optional.empty();
        return Optional.of(
                "the disk of %s is nearly full: %s are left, and the last %s are for the logs of jobs that run; delete files or old jobs there, or set 'keep' to less"
                        .formatted(home, words(left), words(least)));
    }

    private static String words(long bytes) {
        return Units.text(bytes >> 20 << 20) + "iB";
    }
}
