package fairlead.cluster;

import fairlead.job.Job;

import java.time.Duration;
import java.util.Optional;

/**
 * What is known beforehand about how long a job runs. A function of the job alone, so that the same
 * view still gives the same plan.
 */
public interface Foresight {
    /** Knows only that no attempt outlives its time limit. */
    Foresight BY_TIME_LIMIT = job -> job.spec().timeLimit();

    /** From its first second to its end, all its attempts together; empty when nobody knows. */
    Optional<Duration> runTime(Job job);

    /** What is known once this job has ended. */
    default Foresight after(Job finished) {
        return this;
    }
}
