package fairlead.policy;

import fairlead.job.JobId;
import fairlead.job.Placement;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a policy wants done now. Not yet true: every plan is checked before it becomes facts.
 *
 * @param wake when time alone would change the plan; empty when only an event can
 */
public record Plan(List<Start> starts, List<Preempt> preempts, Optional<Instant> wake) {
    public static final Plan NOTHING = new Plan(List.of(), List.of());

    public Plan {
        starts = List.copyOf(starts);
        preempts = List.copyOf(preempts);
    }

    public Plan(List<Start> starts, List<Preempt> preempts) {
        this(starts, preempts, Optional.empty());
    }

    /** Start a waiting job there. */
    public record Start(JobId job, Placement placement) {}

    /** Take the GPUs of one job for another. */
    public record Preempt(JobId victim, JobId beneficiary, String why) {}
}
