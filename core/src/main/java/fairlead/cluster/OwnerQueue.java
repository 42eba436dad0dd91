package fairlead.cluster;

import fairlead.job.Job;
import java.util.List;

/**
 * The waiting jobs of one owner in the owner's own order: priority, then submit time.
 *
 * @param gpusHeld what the owner's active jobs hold now
 */
public record OwnerQueue(String owner, int gpusHeld, List<Job> jobs) {}
