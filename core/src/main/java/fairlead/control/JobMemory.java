package fairlead.control;

import fairlead.job.Footprint;
import fairlead.job.Job;
import fairlead.job.JobSpec;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What all unfinished jobs take of the memory, and what each owner's do, by the estimate of {@link
 * Footprint}; and whether more may come. Kept up to date job by job, on the controller's loop.
 */
final class JobMemory {
    private final MemoryBounds bounds;

    /** Each spec counts once, however many jobs of an array share it. */
    private final Map<JobSpec, Use> specs = new IdentityHashMap<>();

    private final Map<String, Long> byOwner = new HashMap<>();
    private long sum;

    private static final class Use {
        final long bytes;
        int jobs;

        Use(long bytes) {
            this.bytes = bytes;
        }
    }

    JobMemory(MemoryBounds bounds) {
        this.bounds = bounds;
    }

    /** Moves on from how a job stood to how it stands. */
    void change(Optional<Job> before, Job after) {
        // The new one first, so that a spec that stays is not measured again.
        if (!after.isFinished()) add(after);
        before.filter(job -> !job.isFinished()).ifPresent(this::remove);
    }

    void clear() {
        specs.clear();
        byOwner.clear();
        sum = 0;
    }

    void add(Job job) {
        Use use = specs.computeIfAbsent(job.spec(), spec -> new Use(Footprint.of(spec)));
        use.jobs++;
        count(job.owner(), Footprint.JOB_BYTES + (use.jobs == 1 ? use.bytes : 0));
    }

    private void remove(Job job) {
        Use use = specs.get(job.spec());
        use.jobs--;
        if (use.jobs == 0) specs.remove(job.spec());
        count(job.owner(), -Footprint.JOB_BYTES - (use.jobs == 0 ? use.bytes : 0));
    }

    private void count(String owner, long bytes) {
        sum += bytes;
        if (byOwner.merge(owner, bytes, Long::sum) == 0) byOwner.remove(owner);
    }

    long bytes() {
        return sum;
    }

    long bytes(String owner) {
        return byOwner.getOrDefault(owner, 0L);
    }

    /** Why this owner may not submit jobs with these specs now. */
    Optional<Refused> refusal(String owner, List<JobSpec> wanted) {
        var distinct = new IdentityHashMap<JobSpec, Long>();
        for (JobSpec spec : wanted) distinct.computeIfAbsent(spec, Footprint::of);
        long bytes = (long) Footprint.JOB_BYTES * wanted.size();
        for (long each : distinct.values()) bytes += each;
        return bounds.refusal(owner, bytes(owner), sum, bytes)
                .map(words -> new Refused(Refused.Kind.BUSY, words));
    }
}
