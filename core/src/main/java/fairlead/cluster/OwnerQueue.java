package fairlead.cluster;

import fairlead.job.Job;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * The waiting jobs of one owner in the owner's own order, apart by whether they want GPUs: work
 * without GPUs never queues behind work with them.
 *
 * @param milliGpusHeld thousandths of GPUs that the owner's active jobs and guests hold
 * @param cpuJobsHeld how many of the owner's active jobs have no GPU
 * @param gpuJobEnded when a job of the owner's with GPUs last ended for good; long ago where that
 *     is not known, as after a restart
 */
public record OwnerQueue(
        String owner,
        long milliGpusHeld,
        int cpuJobsHeld,
        List<Job> gpuJobs,
        List<Job> cpuJobs,
        Instant gpuJobEnded) {
    /**
     * What the owner sits before, then priority, then standing; the id keeps two jobs of one
     * instant from changing places.
     */
    public static final Comparator<Job> OWN_ORDER =
            Comparator.comparing((Job job) -> !job.spec().interactive())
                    .thenComparing(job -> -job.priority())
                    .thenComparing(Job::standing)
                    .thenComparing(Job::id);
}
