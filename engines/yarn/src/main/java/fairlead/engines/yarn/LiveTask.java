package fairlead.engines.yarn;

import fairlead.engines.yarn.relay.TaskEnd;
import fairlead.job.Exit;

/** One task of a live attempt. Guarded by its attempt. */
final class LiveTask {
    final int rank;
    final AttemptRecord.Task record;

    /** Its end as it was first seen, while its log is still on the way; null before. */
    TaskEnd seen;

    /** The same, written down and visible to others; from then on it never changes. */
    Exit exit;

    /** Copies the log; null before there is one. */
    LogFollower follower;

    boolean isStarted;

    /** The id of its container; empty before it has one. */
    String container = "";

    LiveTask(int rank, AttemptRecord.Task record) {
        this.rank = rank;
        this.record = record;
    }
}
