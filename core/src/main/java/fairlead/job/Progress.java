package fairlead.job;

import java.time.Instant;
import java.util.Optional;

/**
 * How far a training job has come, by its own reports.
 *
 * @param attempt the last one whose script has reported: only such a job can be asked to stop at a
 *     checkpoint; zero for none
 * @param fraction how much of the next epoch is saved too, from 0 to 1
 * @param safe the work until then is saved; in the current or an earlier attempt
 */
public record Progress(
        int attempt, int epochsDone, double fraction, Optional<Instant> safe, Profile profile) {
    public static final Progress NONE = new Progress(0, 0, 0, Optional.empty(), Profile.NONE);

    public boolean hasReported(AttemptId id) {
        return attempt == id.number();
    }

    Progress after(Event.Report report, Placement placement) {
        return switch (report) {
            case Event.TrainingJoined(_, AttemptId id) ->
                    new Progress(id.number(), epochsDone, fraction, safe, profile);
            case Event.EpochEnded(Instant at, AttemptId id, Profile.Epoch epoch) ->
                    new Progress(
                            id.number(),
                            epoch.done(),
                            0,
                            Optional.of(at),
                            profile.after(placement, epoch));
            case Event.CheckpointSaved(Instant at, AttemptId id, double saved) ->
                    new Progress(id.number(), epochsDone, saved, Optional.of(at), profile);
            // The engine may have measured it, which is no sign that the script will ever report.
            case Event.MemoryMeasured(_, _, long bytes) ->
                    new Progress(attempt, epochsDone, fraction, safe, profile.withMemory(bytes));
        };
    }
}
