package fairlead.simulator;

import fairlead.cluster.View;
import fairlead.job.JobId;
import fairlead.justice.Judge;
import fairlead.policy.Explanation;
import fairlead.policy.Plan;
import fairlead.policy.Policy;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A policy whose every plan is shown to a judge. */
record Judged(Policy policy, Judge judge) implements Policy {
    @Override
    public Plan plan(View view) {
        Plan plan = policy.plan(view);
        Set<JobId> started =
                plan.starts().stream().map(Plan.Start::job).collect(Collectors.toSet());
        List<Judge.Stop> stops =
                plan.preempts().stream()
                        .map(stop -> new Judge.Stop(stop.victim(), stop.beneficiary()))
                        .toList();
        judge.decided(view, started, stops);
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
