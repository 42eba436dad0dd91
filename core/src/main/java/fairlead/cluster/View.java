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
 * @param rules what was promised
 * @param guests what others have started here, by namespace and name
 */
public record View(
        Instant now,
        List<NodeState> nodes,
        List<OwnerQueue> queues,
        List<Job> active,
        Foresight foresight,
        Rules rules,
        List<Guest> guests) {
    /** The same picture at a later time: a view is made anew only when something changes. */
    public View at(Instant later) {
        return new View(later, nodes, queues, active, foresight, rules, guests);
    }

    /** The same cluster with other jobs waiting. */
    public View waiting(List<OwnerQueue> others) {
        return new View(now, nodes, others, active, foresight, rules, guests);
    }

    public static View empty(Instant now) {
        return new View(
                now,
                List.of(),
                List.of(),
                List.of(),
                Foresight.BY_TIME_LIMIT,
                Rules.NONE,
                List.of());
    }
}
