package fairlead.policy.elastic;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Resources;
import fairlead.job.Setbacks;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Which jobs the scheduler may give another number of GPUs, and when. */
final class TrainingJobs {
    /** For so long nobody is asked again who has stopped in vain, or in turns with another. */
    private static final Duration IN_VAIN = Duration.ofHours(1);

    private TrainingJobs() {}

    static boolean isTrainee(Job job) {
        Resources ask = job.spec().roles().getFirst().resources();
        return job.spec().training().isPresent() && ask.gpus() > 0 && ask.gpuType().isEmpty();
    }

    /** Whether it can be asked to stop: its script reports, and it has run for a while. */
    static boolean isSettled(Job job, View view) {
        return isTrainee(job)
                && job.state() instanceof JobState.Running running
                && job.stopsAtCheckpoint()
                && !running.since().plus(Elastic.ROUND).isAfter(view.now());
    }

    /** Whether there are several who hold GPUs or wait for them. */
    static boolean areOwnersSeveral(View view) {
        return Stream.concat(
                                view.active().stream(),
                                view.queues().stream().flatMap(queue -> queue.gpuJobs().stream()))
                        .filter(job -> job.spec().gpus() > 0)
                        .map(Job::owner)
                        .distinct()
                        .limit(2)
                        .count()
                > 1;
    }

    static boolean hasGrown(Job job) {
        return isTrainee(job) && job.spec().gpus() > job.spec().training().orElseThrow().gpus();
    }

    /**
     * Whether it has stopped for another that waits still, or the two have taken turns already: to
     * ask it again would not help.
     */
    static boolean hasStoppedInVain(Job job, Map<JobId, Job> waiting, Instant now) {
        List<Setbacks.Receipt> own = recent(job, now);
        if (own.isEmpty()) return false;
        Instant last = own.getLast().at();
        Job other = waiting.get(own.getLast().beneficiary());
        if (other != null && !((JobState.Queued) other.state()).since().isAfter(last)) return true;
        return own.stream()
                .map(receipt -> waiting.get(receipt.beneficiary()))
                .filter(Objects::nonNull)
                .anyMatch(each -> recent(each, now).stream().anyMatch(it -> isFor(job, it)));
    }

    private static boolean isFor(Job job, Setbacks.Receipt receipt) {
        return receipt.beneficiary().equals(job.id());
    }

    private static List<Setbacks.Receipt> recent(Job job, Instant now) {
        Instant from = now.minus(IN_VAIN);
        return job.setbacks().last().stream().filter(each -> each.at().isAfter(from)).toList();
    }
}
