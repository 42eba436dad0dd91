package fairlead.policy;

import fairlead.job.Job;

/**
 * Numbers waiting jobs in their order: work with GPUs and work without have lines of their own, and
 * nobody is told of a place behind jobs that are not in the way.
 */
final class Places {
    private int gpuJobs;
    private int cpuJobs;

    /** The place of a job that stands behind all who were numbered so far. */
    int next(Job job) {
        return job.spec().gpus() > 0 ? ++gpuJobs : ++cpuJobs;
    }
}
