package fairlead.engines.azureml;

import fairlead.engine.remote.TaskLogFiles;
import fairlead.job.Exit;
import fairlead.job.TaskId;

import java.net.URI;
import java.util.OptionalInt;

/**
 * One task of a live attempt, guarded by the attempt's lock but for what its log's reader keeps.
 */
final class LiveTask {
    final int rank;
    final TaskId id;
    final TaskLogFiles log;

    /** What its own last line says; empty before. Only the reader of the log touches these two. */
    OptionalInt code = OptionalInt.empty();

    /** Where its log is now; null before that is known, or when it no longer holds. */
    URI address;

    /** How it ended, told to others and written down; from then on it never changes. */
    Exit exit;

    LiveTask(int rank, TaskId id, TaskLogFiles log) {
        this.rank = rank;
        this.id = id;
        this.log = log;
    }
}
