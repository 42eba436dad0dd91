package fairlead.policy.elastic;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Resources;

import java.util.stream.Stream;

/** Which jobs the scheduler may give another number of GPUs, and when. */
final class TrainingJobs {
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
}
