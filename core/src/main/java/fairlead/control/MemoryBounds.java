package fairlead.control;

import java.util.Optional;

/**
 * How much memory unfinished jobs may take: so much that a queue fills before the memory does.
 *
 * @param all of everyone's jobs together
 * @param owner of one owner's jobs
 */
public record MemoryBounds(long all, long owner) {
    /** For a simulation, which ends when its memory does. */
    public static final MemoryBounds NONE = new MemoryBounds(Long.MAX_VALUE, Long.MAX_VALUE);

    /** What a server without a job needs: its classes' objects, buffers and caches. */
    private static final long IDLE_BYTES = 32L << 20;

    /** As much again as the jobs take is left for plans, forecasts, lists and requests. */
    private static final int JOBS_SHARE = 2;

    /** Whoever fills their part leaves as much for everyone else. */
    private static final int OWNER_SHARE = 2;

    private static final int MIB = 1 << 20;

    /** For a server with such a heap. */
    public static MemoryBounds of(long heapBytes) {
        long all = Math.max(0, heapBytes - IDLE_BYTES) / JOBS_SHARE;
        return new MemoryBounds(all, all / OWNER_SHARE);
    }

    /**
     * Why jobs that need so many bytes more are refused; empty when there is room.
     *
     * @param held by the owner's unfinished jobs
     * @param heldByAll by everyone's
     */
    Optional<String> refusal(String name, long held, long heldByAll, long wanted) {
        if (wanted > owner - held) {
            return Optional.of(
                    ("the unfinished jobs of %s would take %d MiB of the server's memory, and one"
                                    + " person's may take %d MiB; wait until some have ended, or"
                                    + " submit fewer or with a smaller environment")
                            .formatted(name, mib(held + wanted), owner / MIB));
        }
        if (wanted > all - heldByAll) {
            return Optional.of(
                    ("all unfinished jobs would take %d MiB of the server's memory, and may take %d"
                                    + " MiB; wait until some have ended, or give the server more"
                                    + " memory")
                            .formatted(mib(heldByAll + wanted), all / MIB));
        }
        return Optional.empty();
    }

    /** Rounded up, so that what is too much never reads like what is allowed. */
    private static long mib(long bytes) {
        return (bytes + MIB - 1) / MIB;
    }
}
