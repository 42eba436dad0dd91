package fairlead.policy;

import fairlead.job.Job;

import java.util.List;

/**
 * Numbers waiting jobs in their order: work with GPUs and work without have lines of their own, and
 * nobody sees a place behind jobs that are not in the way.
 */
public final class Places {
    private int gpuJobs;
    private int cpuJobs;

    /** How many stand before it. */
    public int ahead(Job job) {
        return job.spec().gpus() > 0 ? gpuJobs : cpuJobs;
    }

    /**
     * The place of a job that stands behind all who were numbered so far. One that can never start
     * is in nobody's way, so the next one has the same.
     */
    public int next(Job job, List<Obstacle> obstacles) {
        boolean counts = obstacles.stream().noneMatch(Obstacle::isForGood);
        boolean hasGpus = job.spec().gpus() > 0;
        int place = 1 + ahead(job);
        if (counts && hasGpus) gpuJobs++;
        else if (counts) cpuJobs++;
        return place;
    }
}
