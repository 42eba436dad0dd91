package fairlead.policy.fair;

import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Setbacks;
import fairlead.job.StopReason;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * To whom a view owes a place: jobs that have waited ever since others were asked to stop for them.
 * Nobody keeps a list of them. Who still stops knows for whom, and who has stopped has a receipt;
 * only one that ended by itself before it was stopped has none.
 */
public final class Promises {
    /** By the job that gains by it, when somebody was last asked to stop for it. */
    private final Map<JobId, Instant> asked = new HashMap<>();

    /** By the job that gains by it, whose jobs were asked to stop for it. */
    private final Map<JobId, Set<String>> givers = new HashMap<>();

    /** For whom somebody has yet to stop. */
    private final Set<JobId> underWay = new HashSet<>();

    private final List<Job> kept = new ArrayList<>();

    public Promises(View view) {
        for (Job job : view.active()) {
            if (makesRoom(job)) {
                note(beneficiary(job), ((JobState.Active) job.state()).since(), job.owner());
                underWay.add(beneficiary(job));
            }
            noteReceipts(job);
        }
        for (OwnerQueue queue : view.queues()) {
            queue.gpuJobs().forEach(this::noteReceipts);
        }
        if (asked.isEmpty()) return;
        for (OwnerQueue queue : view.queues()) {
            for (Job job : queue.gpuJobs()) {
                if (hasWaitedSince(job) && !isOwnersOwnAffair(job)) kept.add(job);
            }
        }
        kept.sort(Comparator.comparing((Job job) -> asked.get(job.id())).thenComparing(Job::id));
    }

    /** Whether it was asked to stop for another job, and not to come back with another size. */
    static boolean makesRoom(Job job) {
        return job.state() instanceof JobState.Stopping stopping
                && stopping.reason() instanceof StopReason.Preempted preempted
                && !preempted.beneficiary().equals(job.id());
    }

    private static JobId beneficiary(Job stopping) {
        var reason = ((JobState.Stopping) stopping.state()).reason();
        return ((StopReason.Preempted) reason).beneficiary();
    }

    private void noteReceipts(Job job) {
        for (Setbacks.Receipt receipt : job.setbacks().last()) {
            // One that was stopped for its own sake has its place when it is its turn.
            if (receipt.beneficiary().equals(job.id())) continue;
            note(receipt.beneficiary(), receipt.at(), job.owner());
        }
    }

    private void note(JobId beneficiary, Instant at, String giver) {
        givers.computeIfAbsent(beneficiary, _ -> new HashSet<>()).add(giver);
        asked.merge(beneficiary, at, (one, other) -> one.isAfter(other) ? one : other);
    }

    /** One that has started since has had its place. */
    private boolean hasWaitedSince(Job job) {
        Instant at = asked.get(job.id());
        if (at == null) return false;
        // Others may be asked in the very tick in which it comes.
        return job.attempts() == 0 || !((JobState.Queued) job.state()).since().isAfter(at);
    }

    /**
     * Whether it trains and only jobs of its own owner have stopped for it. Their sizes may have
     * been thought over since, and a place that is kept for one of them for ever is one that the
     * others, and those who stop for them, do not get.
     */
    private boolean isOwnersOwnAffair(Job job) {
        return job.spec().training().isPresent()
                && !underWay.contains(job.id())
                && !isOwedByOthers(job);
    }

    private boolean isOwedByOthers(Job job) {
        return givers.get(job.id()).stream().anyMatch(giver -> !giver.equals(job.owner()));
    }

    /** In the order in which they were made, and by id: it stays the same whoever stops first. */
    public List<Job> kept() {
        return kept;
    }

    /** How many of them were made before this time. */
    int keptSinceBefore(Instant at) {
        return (int) kept.stream().filter(job -> asked.get(job.id()).isBefore(at)).count();
    }
}
