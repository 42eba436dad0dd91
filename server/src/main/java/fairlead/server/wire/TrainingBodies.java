package fairlead.server.wire;

import fairlead.api.ProfileBody;
import fairlead.api.ProgressBody;
import fairlead.api.ReceiptBody;
import fairlead.api.SetbacksBody;
import fairlead.api.SpeedBody;
import fairlead.job.Job;
import fairlead.job.Profile;
import fairlead.job.Progress;
import fairlead.job.Setbacks;
import fairlead.job.Setup;
import fairlead.job.Training;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.TreeMap;

/** How training jobs come along, and what they have lost, as clients see it. */
public final class TrainingBodies {
    private static final double MILLIS = 1_000;

    private TrainingBodies() {}

    /** Null for a job that does not train. */
    public static ProgressBody progress(Job job) {
        Training training = job.spec().training().orElse(null);
        if (training == null) return null;
        Progress progress = job.progress();
        return new ProgressBody(
                progress.epochsDone(),
                training.epochs(),
                progress.safe().map(Instant::toString).orElse(null),
                measured(progress.profile().memoryBytes()));
    }

    /** Null for a job that was never preempted. */
    public static SetbacksBody setbacks(Job job) {
        Setbacks setbacks = job.setbacks();
        if (setbacks.last().isEmpty()) return null;
        return new SetbacksBody(
                seconds(setbacks.lost()),
                setbacks.last().stream().map(TrainingBodies::receipt).toList());
    }

    private static ReceiptBody receipt(Setbacks.Receipt receipt) {
        return new ReceiptBody(
                receipt.at().toString(),
                receipt.beneficiary().text(),
                receipt.why(),
                seconds(receipt.lost()));
    }

    /**
     * @param known of the job's script, from this job and from others
     */
    public static ProfileBody profile(Job job, Profile known) {
        Profile own = job.progress().profile();
        // Where the job has measured by itself, that is truer for it than the mean of all.
        var speeds = new TreeMap<Setup, Profile.Speed>(known.speeds());
        speeds.putAll(own.speeds());
        var rows = new ArrayList<SpeedBody>();
        for (var entry : speeds.entrySet()) {
            Setup setup = entry.getKey();
            Profile.Speed speed = entry.getValue();
            rows.add(
                    new SpeedBody(
                            setup.tasks(),
                            setup.gpus(),
                            setup.shared(),
                            speed.epochSeconds(),
                            speed.stepSeconds() > 0 ? speed.stepSeconds() : null,
                            speed.epochs(),
                            speeds.firstEntry().getValue().epochSeconds() / speed.epochSeconds(),
                            own.speeds().containsKey(setup)));
        }
        long memoryBytes = Math.max(known.memoryBytes(), own.memoryBytes());
        return new ProfileBody(job.id().text(), rows, measured(memoryBytes));
    }

    private static Long measured(long bytes) {
        return bytes > 0 ? bytes : null;
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / MILLIS;
    }
}
