package fairlead.policy.elastic;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Profile;
import fairlead.job.Setup;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How many GPUs' worth of work two training jobs get done on one: the sum of the parts of their
 * speeds alone that they keep beside each other. Measured by whole epochs in the same company, and
 * assumed before. Used for one plan.
 *
 * <p>Example: alone, an epoch of A takes 10 s and one of B 20 s; together they take 14 s and 32 s.
 * A keeps 10/14 and B 20/32, so the GPU does the work of 1.34.
 */
final class PairSpeed {
    /**
     * For a pair that was never measured, on the hopeful side: what is never tried stays unknown.
     */
    private static final double KEPT_UNKNOWN = 0.65;

    private final View view;
    private final Map<Kind, Map<Kind, Double>> expected = new HashMap<>();
    private final Map<Job, Kind> kinds = new HashMap<>();

    /** Jobs that are measured together. */
    private record Kind(String owner, String script) {}

    PairSpeed(View view) {
        this.view = view;
    }

    boolean isMeasuredAlone(Job job) {
        return alone(job).isPresent();
    }

    /** Before they have met. */
    double expected(Job one, Job other) {
        return expected.computeIfAbsent(kind(one), _ -> new HashMap<>())
                .computeIfAbsent(
                        kind(other),
                        _ ->
                                kept(one, other).orElse(KEPT_UNKNOWN)
                                        + kept(other, one).orElse(KEPT_UNKNOWN));
    }

    /** While they run beside each other: an epoch that should long be over says something too. */
    double present(Job one, Job other) {
        return keptNow(one, other) + keptNow(other, one);
    }

    /** How much of its speed alone the job keeps beside the other just now. */
    double keptNow(Job job, Job other) {
        OptionalDouble measured = kept(job, other);
        if (measured.isPresent()) return measured.getAsDouble();
        Optional<Profile.Speed> alone = alone(job);
        double together = secondsTogether(job, other);
        if (alone.isEmpty() || together <= 0) return KEPT_UNKNOWN;
        return Math.min(KEPT_UNKNOWN, alone.get().epochSeconds() / together);
    }

    /** How long both have made steps since the job's last epoch ended. */
    private double secondsTogether(Job job, Job other) {
        Instant from = begun(job);
        Instant othersBegin = begun(other);
        if (othersBegin.isAfter(from)) from = othersBegin;
        Instant begin = from;
        from = job.progress().safe().filter(begin::isBefore).orElse(begin);
        return Duration.between(from, view.now()).toMillis() / 1e3;
    }

    private Instant begun(Job job) {
        return job.state() instanceof JobState.Running running
                ? running.since().plus(view.rules().restart())
                : view.now();
    }

    /** Seconds that the rest of the job would take alone; empty when nobody knows. */
    OptionalDouble left(Job job) {
        int epochs = job.spec().training().orElseThrow().epochs() - job.progress().epochsDone();
        return alone(job)
                .map(speed -> OptionalDouble.of(speed.epochSeconds() * epochs))
                .orElseGet(OptionalDouble::empty);
    }

    private OptionalDouble kept(Job job, Job other) {
        Optional<Profile.Speed> alone = alone(job);
        if (alone.isEmpty()) return OptionalDouble.empty();
        return view.foresight()
                .profile(job)
                .speed(new Setup(1, 1, kind(other).script()))
                .map(both -> OptionalDouble.of(alone.get().epochSeconds() / both.epochSeconds()))
                .orElseGet(OptionalDouble::empty);
    }

    private Optional<Profile.Speed> alone(Job job) {
        return view.foresight().profile(job).speed(Setup.alone(1, 1));
    }

    private Kind kind(Job job) {
        return kinds.computeIfAbsent(job, _ -> new Kind(job.owner(), job.script()));
    }
}
