package fairlead.policy;

import fairlead.job.JobId;
import fairlead.job.Placement;

import java.util.List;

/** What a policy wants done now. Not yet true: every plan is checked before it becomes facts. */
public record Plan(List<Start> starts, List<Preempt> preempts) {
    public static final Plan NOTHING = new Plan(List.of(), List.of());

    public Plan {
        starts = List.copyOf(starts);
        preempts = List.copyOf(preempts);
    }

    /** Start a waiting job there. */
    public record Start(JobId job, Placement placement) {}

    /** Take the GPUs of one job for another. */
    public record Preempt(JobId victim, JobId beneficiary, String why) {}
}
