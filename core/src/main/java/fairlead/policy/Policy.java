package fairlead.policy;

import fairlead.cluster.View;

import java.util.List;

/**
 * Who runs next, and where. A function of the view: no clock, no dice, no engine, no memory between
 * calls, so the same view always gives the same plan.
 */
public interface Policy {
    Plan plan(View view);

    /** Whether it chooses the number of GPUs for training jobs that allow several. */
    default boolean resizes() {
        return false;
    }

    /**
     * What {@link #plan} did with every waiting job, in queue order: its place, and why it waits. A
     * job that the plan starts has no obstacle. Costs more than a plan, so it is made on request.
     */
    List<Explanation> explain(View view);
}
