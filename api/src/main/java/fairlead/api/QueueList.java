package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * Everyone's work on a cluster in the fair order.
 *
 * @param more how much work stands behind what is shown
 * @param totals of all of it, not only of what is shown; null from an older server
 * @param notes such as that the cluster cannot be reached
 */
@Json
public record QueueList(
        String cluster, List<QueueBody> queue, int more, List<String> notes, QueueTotals totals) {}
