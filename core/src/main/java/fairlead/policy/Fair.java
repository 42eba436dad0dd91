package fairlead.policy;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One's first GPU goes before anyone's second, the second before anyone's third. A project's quota
 * is guaranteed; what is idle beyond it is lent to training jobs and taken back when its owner has
 * a job for it. All tasks of a job start together or none does, and nobody behind a waiting job
 * delays it.
 *
 * <p>Goals in order of rank: never break a promise (quota, gang, interactive work inside its
 * quota); be fair; waste no finished work; then shorten everybody's completion time.
 *
 * <p>A job stands at the number of its first GPU, counted over what its owner holds and has ahead
 * of it; among equals the earlier submit goes first. The first that finds no room is given a {@link
 * Reservation}, and {@link Victims} says who may be stopped for it.
 *
 * <p>Example: ann holds 2 GPUs and waits for 1 more, so that job stands at 3. Bob holds none and
 * waits with a job of 4 and a job of 1: they stand at 1 and at 5. The line is bob's 4, ann's 1,
 * bob's 1.
 */
final class Fair implements Policy {
    /** That stops would be in vain is rare, and finding out costs a pass. */
    private static final int REHEARSALS_MAX = 4;

    @Override
    public Plan plan(View view) {
        return rehearsed(view).plan();
    }

    @Override
    public List<Explanation> explain(View view) {
        return new FairPass(view, rehearsed(view).mayTake()).explain();
    }

    /** A plan and for whom others may be stopped in it. */
    private record Rehearsed(Plan plan, Predicate<Job> mayTake) {}

    /**
     * Nobody is stopped for a job that does not start then. Who is stopped holds less and waits
     * again, so others may then stand before the one it was meant for.
     */
    private static Rehearsed rehearsed(View view) {
        Predicate<Job> mayTake = _ -> true;
        Set<JobId> unhelped = new HashSet<>();
        for (int i = 0; i < REHEARSALS_MAX; i++) {
            Plan plan = new FairPass(view, mayTake).plan();
            Set<JobId> stillWaiting = Rehearsal.inVain(plan, view);
            if (stillWaiting.isEmpty()) return new Rehearsed(plan, mayTake);
            Set<JobId> helped = new HashSet<>();
            plan.preempts().forEach(preempt -> helped.add(preempt.beneficiary()));
            // Somebody for whom others are stopping already would lose that place again.
            if (!helped.containsAll(stillWaiting)) break;
            helped.removeAll(stillWaiting);
            unhelped.addAll(stillWaiting);
            mayTake =
                    helped.isEmpty()
                            ? job -> !unhelped.contains(job.id())
                            : job -> helped.contains(job.id());
        }
        Predicate<Job> nobody = _ -> false;
        return new Rehearsed(new FairPass(view, nobody).plan(), nobody);
    }
}
