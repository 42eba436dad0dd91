package fairlead.simulator;

import fairlead.cluster.View;
import fairlead.job.JobId;
import fairlead.job.Placement;
import fairlead.justice.Judge;
import fairlead.policy.Explanation;
import fairlead.policy.Plan;
import fairlead.policy.Policy;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A policy whose every plan is shown to a judge. */
record Judged(Policy policy, Judge judge) implements Policy {
    @Override
    public Plan plan(View view) {
        Plan plan = policy.plan(view);
        Map<JobId, Placement> starts =
                plan.starts().stream()
                        .collect(Collectors.toMap(Plan.Start::job, Plan.Start::placement));
        List<Judge.Stop> stops =
                plan.preempts().stream()
                        .map(stop -> new Judge.Stop(stop.victim(), stop.beneficiary()))
                        .toList();
        judge.decided(view, starts, stops);
        return plan;
    }

    @Override
    public boolean resizes() {
        return policy.resizes();
    }

    @Override
    public List<Explanation> explain(View view) {
        return policy.explain(view);
    }
}
