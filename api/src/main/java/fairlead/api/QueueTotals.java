package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * A whole queue in numbers.
 *
 * @param gpus that the cluster has
 * @param gpusLent of those in use, what projects hold of the quotas of others
 */
@Json
public record QueueTotals(int gpus, double gpusInUse, double gpusLent, int running, int waiting) {}
