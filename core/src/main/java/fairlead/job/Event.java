package fairlead.job;

import java.time.Instant;
import java.util.Map;

/** A fact about one job, with its time. Facts alone move state. */
public sealed interface Event {
    Instant at();

    record Submitted(Instant at) implements Event {}

    record AttemptPlaced(Instant at, Attempt attempt) implements Event {}

    record AttemptStarted(Instant at, AttemptId attempt) implements Event {}

    /** All that ended since the last look, in one fact: a gang of thousands often ends together. */
    record TasksEnded(Instant at, AttemptId attempt, Map<TaskId, Exit> exits) implements Event {}

    /** A completion rule fired while other tasks of the attempt still run. */
    record AttemptDecided(Instant at, AttemptId attempt, Verdict verdict) implements Event {}

    /** Nothing of the attempt runs any more. */
    record AttemptEnded(Instant at, AttemptId attempt, Verdict verdict) implements Event {}

    record CancelRequested(Instant at, String by) implements Event {}

    record PreemptRequested(Instant at, AttemptId attempt, JobId beneficiary, String why)
            implements Event {}

    record TimeLimitReached(Instant at, AttemptId attempt) implements Event {}

    record PriorityChanged(Instant at, int priority, String by) implements Event {}

    /** The job was told when it would start. */
    record StartPredicted(Instant at, Prediction prediction) implements Event {}
}
