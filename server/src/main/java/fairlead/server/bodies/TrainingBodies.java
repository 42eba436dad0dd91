package fairlead.server.bodies;

import fairlead.api.ProfileBody;
import fairlead.api.ProgressBody;
import fairlead.api.ReceiptBody;
import fairlead.api.SetbacksBody;
import fairlead.api.SpeedBody;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Outcome;
import fairlead.job.Profile;
import fairlead.job.Progress;
import fairlead.job.Setbacks;
import fairlead.job.Setup;
import fairlead.job.Training;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How training jobs come along, and what they have lost, as clients see it. */
public final class TrainingBodies {
    private static final double MILLIS = 1_000;
    private static final String SHARED = "others";

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

    /**
     * What to do about a script that trains and says nothing: the job may end well, and nobody
     * knows how far it has come. Empty for a job that has reported, or that may still fail.
     */
    public static Optional<String> silence(Job job) {
        boolean isWell =
                job.state() instanceof JobState.Finished over
                        && over.outcome().kind() == Outcome.Kind.SUCCEEDED;
        boolean isSilent =
                (isWell || job.state() instanceof JobState.Running)
                        && job.attempt()
                                .filter(attempt -> !job.progress().hasReported(attempt.id()))
                                .isPresent();
        if (job.spec().training().isEmpty() || !isSilent) return Optional.empty();
        return Optional.of(
                "the script "
                        + (isWell ? "has reported no epoch" : "has not reported yet")
                        + ": it must use the library in Fairlead's folder python (by PYTHONPATH,"
                        + " or pip install), which finds the server by FAIRLEAD_URL and"
                        + " FAIRLEAD_JOB_TOKEN. The published kubernetesdlprofile has hosts of"
                        + " another cluster built in; there say KubeProfiler(HOST, HOST), with HOST"
                        + " = os.environ['FAIRLEAD_URL'].split('//')[1]");
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
        var rows = new TreeMap<Setup, Row>();
        known.speeds().forEach((setup, speed) -> add(rows, setup, new Row(speed, false)));
        // Where the job has measured by itself, that is truer for it than the mean of all.
        own.speeds().keySet().forEach(setup -> rows.remove(shown(setup)));
        own.speeds().forEach((setup, speed) -> add(rows, setup, new Row(speed, true)));
        var bodies = new ArrayList<SpeedBody>();
        rows.forEach((setup, row) -> bodies.add(row.body(setup, rows.firstEntry().getValue())));
        long memoryBytes = Math.max(known.memoryBytes(), own.memoryBytes());
        return new ProfileBody(job.id().text(), bodies, measured(memoryBytes));
    }

    private static void add(Map<Setup, Row> rows, Setup setup, Row row) {
        rows.merge(shown(setup), row, Row::and);
    }

    /** Whose scripts were beside it is not for everyone to see. */
    private static Setup shown(Setup setup) {
        return setup.isShared() ? new Setup(setup.tasks(), setup.gpus(), SHARED) : setup;
    }

    /** What was measured in one setup, and whether by the job itself. */
    private record Row(Profile.Speed speed, boolean isOwn) {
        Row and(Row other) {
            int epochs = speed.epochs() + other.speed.epochs();
            double weight = (double) other.speed.epochs() / epochs;
            return new Row(
                    new Profile.Speed(
                            mean(speed.epochSeconds(), other.speed.epochSeconds(), weight),
                            mean(speed.stepSeconds(), other.speed.stepSeconds(), weight),
                            epochs),
                    isOwn);
        }

        private static double mean(double one, double other, double weight) {
            return one + (other - one) * weight;
        }

        SpeedBody body(Setup setup, Row first) {
            return new SpeedBody(
                    setup.tasks(),
                    setup.gpus(),
                    setup.isShared(),
                    speed.epochSeconds(),
                    speed.stepSeconds() > 0 ? speed.stepSeconds() : null,
                    speed.epochs(),
                    first.speed.epochSeconds() / speed.epochSeconds(),
                    isOwn);
        }
    }

    private static Long measured(long bytes) {
        return bytes > 0 ? bytes : null;
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / MILLIS;
    }
}
