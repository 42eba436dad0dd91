package fairlead.policy;

import fairlead.cluster.OwnerQueue;
import fairlead.job.Job;
import fairlead.job.JobId;

import java.util.HashSet;
import java.util.Set;

/** Tries plans out before they are made: whether anybody would be stopped in vain. */
final class Rehearsal {
    private final Outset outset;

    /** For whom others are stopping already, and who still waits. */
    private final Set<JobId> promised;

    /** Who would not start even if nothing else were done; made when somebody first asks. */
    private Set<JobId> waitingAnyway;

    Rehearsal(Outset outset) {
        this.outset = outset;
        this.promised = promised(outset);
    }

    private static Set<JobId> promised(Outset outset) {
        Set<JobId> promised = new HashSet<>();
        if (outset.stoppingFor().isEmpty()) return promised;
        for (OwnerQueue queue : outset.queues()) {
            for (Job job : queue.gpuJobs()) {
                if (outset.stoppingFor().containsKey(job.id())) promised.add(job.id());
            }
        }
        return promised;
    }

    /** For whom others would stop, or stop already, and whom the plan would keep from starting. */
    Set<JobId> inVain(FairPass.Draft draft) {
        Set<JobId> inVain = stillWaiting(draft);
        if (inVain.stream().anyMatch(outset.stoppingFor()::containsKey)) {
            // A better rank may have come since: that is no fault of this plan.
            if (waitingAnyway == null) waitingAnyway = stillWaiting(FairPass.Draft.NOTHING);
            inVain.removeAll(waitingAnyway);
        }
        return inVain;
    }

    private Set<JobId> stillWaiting(FairPass.Draft draft) {
        Set<JobId> waiting = waitingAfter(draft);
        if (waiting.isEmpty()) return waiting;
        Outset after = Aftermath.of(draft, outset);
        FairPass.Draft next = new FairPass(after, _ -> true).draft(waiting);
        Set<JobId> still = without(waiting, next);
        // Stops of that plan may prove to be in vain themselves, so it must do without them.
        if (!next.stopped().isEmpty()) {
            still.addAll(without(waiting, new FairPass(after, _ -> false).draft(waiting)));
        }
        return still;
    }

    private Set<JobId> waitingAfter(FairPass.Draft draft) {
        var waiting = new HashSet<>(promised);
        draft.plan().preempts().forEach(preempt -> waiting.add(preempt.beneficiary()));
        draft.started().forEach(job -> waiting.remove(job.id()));
        // Somebody else may be stopped for whoever is stopped now.
        for (Job job : draft.stopped()) {
            if (outset.stoppingFor().containsKey(job.id())) waiting.add(job.id());
        }
        return waiting;
    }

    private static Set<JobId> without(Set<JobId> jobs, FairPass.Draft draft) {
        var rest = new HashSet<>(jobs);
        draft.started().forEach(job -> rest.remove(job.id()));
        return rest;
    }
}
