package fairlead.policy.fair;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.policy.Tally;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tries plans out before they are made: whether anybody would be stopped in vain. */
final class VainStops {
    private final StartingPoint point;

    /** To whom more was promised than can be kept; made when somebody first asks. */
    private Set<JobId> unseatedAnyway;

    /** Who loses a promised place to a job inside its quota; made when somebody first asks. */
    private Set<JobId> overtakenAnyway;

    VainStops(StartingPoint point) {
        this.point = point;
    }

    /**
     * For whom others would stop, or were stopped before, and whom the plan keeps from starting.
     */
    Set<JobId> inVain(FairPass.Draft draft) {
        List<Job> promised = promisedAfter(draft);
        if (promised.isEmpty()) return Set.of();
        StartingPoint after = Aftermath.of(draft, point, promised);
        Set<JobId> inVain = new FairPass(after, FairPass.Stops.NONE).unseated();
        if (!inVain.isEmpty() && !point.promised().isEmpty()) {
            // A node may have gone since: that is no fault of this plan.
            inVain.removeAll(unseatedAnyway());
        }
        if (draft.helped().isEmpty()) return inVain;
        inVain.addAll(notInTurn(draft, after));
        inVain.addAll(overtakenBecauseOfStops(after));
        return inVain;
    }

    /**
     * Whoever stops may leave more of its project's quota than the one it stops for takes. Then
     * others of that project are inside it, and go before those who borrow and were promised a
     * place earlier: those would have been stopped for in vain.
     */
    private Set<JobId> overtakenBecauseOfStops(StartingPoint after) {
        if (point.promised().isEmpty()) return Set.of();
        if (after.promised().stream().allMatch(after.tally()::isEntitled)) return Set.of();
        Set<JobId> overtaken = overtaken(after);
        if (!overtaken.isEmpty()) overtaken.removeAll(overtakenAnyway());
        return overtaken;
    }

    private Set<JobId> overtakenAnyway() {
        if (overtakenAnyway == null) overtakenAnyway = overtaken(withoutPlan());
        return overtakenAnyway;
    }

    /** Who does not start where those inside their quota come first. */
    private static Set<JobId> overtaken(StartingPoint after) {
        Set<JobId> promised = new HashSet<>();
        after.promised().forEach(job -> promised.add(job.id()));
        return without(promised, new FairPass(after, FairPass.Stops.NONE).draft());
    }

    /** In the order in which {@link Promises} will have them. */
    private List<Job> promisedAfter(FairPass.Draft draft) {
        Set<JobId> started = new HashSet<>();
        draft.started().forEach(job -> started.add(job.id()));
        int before = point.promisedBefore();
        var promised = new ArrayList<>(point.promised().subList(0, before));
        var now = new ArrayList<>(point.promised().subList(before, point.promised().size()));
        now.addAll(draft.helped());
        now.sort(Comparator.comparing(Job::id));
        promised.addAll(now);
        promised.removeIf(job -> started.contains(job.id()));
        return promised;
    }

    private Set<JobId> unseatedAnyway() {
        if (unseatedAnyway == null) {
            unseatedAnyway = new FairPass(withoutPlan(), FairPass.Stops.NONE).unseated();
        }
        return unseatedAnyway;
    }

    private StartingPoint withoutPlan() {
        return Aftermath.of(FairPass.Draft.NOTHING, point, point.promised());
    }

    /**
     * For whom others would stop although it would not be its turn then: a promise is made only to
     * those who need none.
     */
    private static Set<JobId> notInTurn(FairPass.Draft draft, StartingPoint after) {
        Set<JobId> helped = new HashSet<>();
        draft.helped().forEach(job -> helped.add(job.id()));
        helped.removeAll(swaps(draft));
        if (helped.isEmpty()) return helped;
        // Stops of the next plan may prove to be in vain themselves, so it must do without them;
        // and where nobody stops, looking for those who might costs most.
        Set<JobId> still =
                without(helped, new FairPass(after, FairPass.Stops.NONE).draftInTurn(helped));
        helped.removeAll(still);
        if (helped.isEmpty()) return still;
        FairPass.Draft next = new FairPass(after, FairPass.Stops.ANY).draftInTurn(helped);
        Set<JobId> behind = without(helped, next);
        for (Job job : draft.helped()) {
            boolean isTakenAgain =
                    next.helped().stream().anyMatch(other -> mightTake(other, job, after));
            boolean isInVain = behind.contains(job.id()) && isTakenAgain;
            if (isInVain && !isStartedBeside(job, next, after)) still.add(job.id());
        }
        return still;
    }

    /**
     * Whether everyone else is helped all the same if the job has the place that it is promised.
     */
    private static boolean isStartedBeside(Job job, FairPass.Draft inTurn, StartingPoint after) {
        FairPass.Draft kept = new FairPass(after, FairPass.Stops.ANY).draft();
        Set<Job> served = new HashSet<>(kept.helped());
        served.addAll(kept.started());
        return kept.started().contains(job)
                && served.containsAll(inTurn.helped())
                && served.containsAll(inTurn.started());
    }

    /**
     * Whether others might be stopped for the one, and this job be among them once it runs, or lose
     * its place before. Whoever only would have used its place together with other stops has no
     * right to it; but what is kept for one that borrows goes to those inside their quota.
     */
    private static boolean mightTake(Job one, Job job, StartingPoint after) {
        Tally tally = after.tally();
        if (job.spec().interactive() || !tally.isEntitled(job)) return true;
        boolean isOthers =
                after.view().rules().hasQuotas()
                        && !one.spec().project().equals(job.spec().project());
        return !isOthers && tally.heldBy(one.owner()) < tally.heldBy(job.owner());
    }

    /**
     * Those for whom only their own owners give: nobody else's turn comes sooner or later by it, so
     * they need not wait for theirs.
     */
    private static Set<JobId> swaps(FairPass.Draft draft) {
        Map<JobId, String> owners = new HashMap<>();
        Set<JobId> swaps = new HashSet<>();
        for (Job job : draft.helped()) {
            owners.put(job.id(), job.owner());
            if (job.spec().interactive()) swaps.add(job.id());
        }
        for (int i = 0; i < draft.stopped().size(); i++) {
            JobId helped = draft.plan().preempts().get(i).beneficiary();
            if (!draft.stopped().get(i).owner().equals(owners.get(helped))) swaps.remove(helped);
        }
        return swaps;
    }

    private static Set<JobId> without(Set<JobId> jobs, FairPass.Draft draft) {
        var rest = new HashSet<>(jobs);
        draft.started().forEach(job -> rest.remove(job.id()));
        return rest;
    }
}
