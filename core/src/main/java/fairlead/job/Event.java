package fairlead.job;

import java.time.Instant;
import java.util.Map;

/** A fact about one job, with its time. Facts alone move state. */
public sealed interface Event {
    Instant at();

    record Submitted(Instant at) implements Event {}

    /** The jobs that it waited for have come as far as it asked. */
    record Released(Instant at) implements Event {}

    /** A job that it waited for has ended otherwise than it asked. */
    record Forsaken(Instant at, String why) implements Event {}

    record AttemptPlaced(Instant at, Attempt attempt) implements Event {}

    /** Every task of the attempt runs. */
    record AttemptStarted(Instant at, AttemptId attempt, Endpoints endpoints) implements Event {
        public AttemptStarted(Instant at, AttemptId attempt) {
            this(at, attempt, Endpoints.NONE);
        }
    }

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

    /** A script that could have stopped at a checkpoint took too long. */
    record PatienceEnded(Instant at, AttemptId attempt) implements Event {}

    /** What the script of a training job reports about itself. Leaves the state as it is. */
    sealed interface Report extends Event {
        AttemptId attempt();
    }

    /** The script is there and will report. */
    record TrainingJoined(Instant at, AttemptId attempt) implements Report {}

    /** An epoch is done and saved. */
    record EpochEnded(Instant at, AttemptId attempt, Profile.Epoch epoch) implements Report {}

    /**
     * Stopping now would lose nothing.
     *
     * @param fraction how much of the running epoch is saved, from 0 to 1
     */
    record CheckpointSaved(Instant at, AttemptId attempt, double fraction) implements Report {}

    /** One of its GPUs holds more than was known. */
    record MemoryMeasured(Instant at, AttemptId attempt, long bytes) implements Report {}
}
