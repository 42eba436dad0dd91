package fairlead.cluster;

import fairlead.job.Job;

import java.time.Instant;
import java.util.List;

/**
 * The immutable picture of a cluster that a policy plans from.
 *
 * @param now the only clock that a policy knows
 * @param nodes by name
 * @param queues by owner; owners without waiting jobs are left out
 * @param active all jobs that hold resources, by id
 * @param foresight what is known about how long jobs run
 */
public record View(
        Instant now,
        List<NodeState> nodes,
        List<OwnerQueue> queues,
        List<Job> active,
        Foresight foresight) {
    public static View empty(Instant now) {
        return new View(now, List.of(), List.of(), List.of(), Foresight.BY_TIME_LIMIT);
    }
}
