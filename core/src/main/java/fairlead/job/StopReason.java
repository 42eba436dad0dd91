package fairlead.job;

/** Why a running attempt is being stopped, and so what its job becomes afterwards. */
public sealed interface StopReason {
    record Cancelled(String by) implements StopReason {}

    /**
     * Goes back to its place in the queue.
     *
     * @param atCheckpoint the script was asked, and ends by itself once its work is safe; the
     *     engine is not asked to stop anything
     */
    record Preempted(JobId beneficiary, String why, boolean atCheckpoint) implements StopReason {}

    /** A completion rule fired while other tasks still ran. */
    record Decided(Verdict verdict) implements StopReason {}

    record TimeLimit() implements StopReason {}
}
