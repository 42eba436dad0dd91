package fairlead.control;

import fairlead.cluster.ClusterState;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Profile;
import fairlead.job.Training;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides which reports of training scripts become facts. All ranks of a job report, and some
 * repeat themselves: only news is kept, and what cannot be true is refused.
 */
public final class Reports {
    /** More often than this a checkpoint inside an epoch is not worth a fact. */
    private static final Duration CHECKPOINT_PAUSE = Duration.ofSeconds(10);

    /** A peak that has grown by less changes no placement. */
    private static final double MEMORY_GROWTH_LEAST = 1.02;

    private final Draft draft;
    private final Instant now;

    Reports(Draft draft, Instant now) {
        this.draft = draft;
        this.now = now;
    }

    void take(Message.Trained message) {
        AttemptId attempt = message.attempt();
        Optional<Job> job = draft.current(attempt.job());
        Optional<String> problem = problem(job, attempt);
        Event.Report told = message.fact().apply(now);
        Event.Report report = job.isPresent() ? withNeighbours(told, job.get()) : told;
        if (problem.isEmpty()) problem = problem(job.orElseThrow(), report);
        if (problem.isPresent()) {
            var refusal = new Refused(Refused.Kind.CONFLICT, problem.get());
            draft.answer(() -> message.answer().completeExceptionally(refusal));
            return;
        }
        Job before = job.orElseThrow();
        Job after = isNews(before, report) ? draft.apply(before, report) : before;
        draft.answer(() -> message.answer().complete(after));
    }

    /**
     * How fast an epoch was means little without knowing who used the GPU too, and nothing when
     * somebody came or went in between.
     */
    private Event.Report withNeighbours(Event.Report report, Job job) {
        if (!(report instanceof Event.EpochEnded(Instant at, AttemptId id, Profile.Epoch epoch))) {
            return report;
        }
        ClusterState cluster = draft.cluster(job);
        long millis = (long) (epoch.seconds().orElse(0) * 1e3);
        boolean isMixed = cluster.hasOtherNeighboursSince(job, at.minusMillis(millis));
        Profile.Epoch told = isMixed ? epoch.untimed() : epoch;
        return new Event.EpochEnded(at, id, told.beside(cluster.beside(job)));
    }

    private static Optional<String> problem(Optional<Job> job, AttemptId attempt) {
        if (job.isEmpty()) return Optional.of(attempt.job() + " has ended");
        if (job.get().spec().training().isEmpty()) {
            return Optional.of(attempt.job() + " was not submitted as a training job");
        }
        boolean isActive =
                job.get().state() instanceof JobState.Active alive
                        && alive.attempt().id().equals(attempt);
        return isActive
                ? Optional.empty()
                : Optional.of("attempt " + attempt.number() + " of " + attempt.job() + " is over");
    }

    /** Why this cannot be true of a training job, in words for its owner; empty when it may be. */
    public static Optional<String> problem(Job job, Event.Report report) {
        if (!(report instanceof Event.EpochEnded(_, _, Profile.Epoch epoch))) {
            return Optional.empty();
        }
        int known = job.progress().epochsDone();
        if (epoch.done() < known) {
            return Optional.of(
                    "epochs go backwards: "
                            + epoch.done()
                            + " done were reported, but "
                            + known
                            + " are known to be done");
        }
        Training declared = job.spec().training().orElseThrow();
        return epoch.done() <= declared.epochs()
                ? Optional.empty()
                : Optional.of(
                        epoch.done()
                                + " epochs done were reported, but the job was submitted with "
                                + declared.epochs());
    }

    /** Whether it says anything of the job that was not known. Any thread. */
    public static boolean isNews(Job job, Event.Report report) {
        return switch (report) {
            case Event.TrainingJoined joined -> !job.progress().hasReported(joined.attempt());
            case Event.EpochEnded ended -> ended.epoch().done() > job.progress().epochsDone();
            case Event.CheckpointSaved _ ->
                    job.state() instanceof JobState.Stopping
                            || job.progress()
                                    .safe()
                                    .filter(
                                            safe ->
                                                    safe.plus(CHECKPOINT_PAUSE)
                                                            .isAfter(report.at()))
                                    .isEmpty();
            case Event.MemoryMeasured measured ->
                    measured.bytes() > job.progress().profile().memoryBytes() * MEMORY_GROWTH_LEAST;
        };
    }
}
