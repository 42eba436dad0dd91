package fairlead.policy;

import fairlead.cluster.Guest;
import fairlead.cluster.Rules;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobSpec;

import java.util.HashMap;
import java.util.Map;

/**
 * Who holds how much, as a plan in the making changes it: GPUs by owner and by project, in
 * thousandths, and interactive jobs by project.
 */
public final class Tally {
    private final Rules rules;
    private final Map<String, Account> byOwner = new HashMap<>();
    private final Map<String, Account> byProject = new HashMap<>();
    private final Map<String, Integer> interactive = new HashMap<>();

    /** By project, what is counted no more but held until its holders have stopped. */
    private final Map<String, Long> leaving = new HashMap<>();

    /** How many projects hold more than their quota. */
    private int overQuota;

    /** What one owner or project holds now. Kept by whoever looks at thousands of jobs. */
    public static final class Account {
        private final long quota;
        private long held;

        private Account(long quota, long held) {
            this.quota = quota;
            this.held = held;
        }

        private Account copy() {
            return new Account(quota, held);
        }

        public long held() {
            return held;
        }

        public boolean isOverQuota() {
            return held > quota;
        }

        public boolean fillsQuotaWithout(long gpus) {
            return held - gpus >= quota;
        }
    }

    public Tally(View view) {
        rules = view.rules();
        for (Guest guest : view.guests()) owner(guest.owner()).held += guest.milliGpusHeld();
        for (Job job : view.active()) change(job, 1);
    }

    private Tally(Tally other) {
        rules = other.rules;
        other.byOwner.forEach((name, account) -> byOwner.put(name, account.copy()));
        other.byProject.forEach((name, account) -> byProject.put(name, account.copy()));
        interactive.putAll(other.interactive);
        leaving.putAll(other.leaving);
        overQuota = other.overQuota;
    }

    public Tally copy() {
        return new Tally(this);
    }

    public void add(Job job) {
        change(job, 1);
    }

    public void remove(Job job) {
        change(job, -1);
    }

    /** Counts its GPUs no more, because it was asked to stop; it holds them until it has. */
    public void leave(Job job) {
        changeGpus(job, -1);
        leaves(job);
    }

    /** Says that a job that was removed is yet to stop. */
    public void leaves(Job job) {
        leaving.merge(job.spec().project(), job.spec().milliGpus(), Long::sum);
    }

    private void change(Job job, int sign) {
        changeGpus(job, sign);
        if (job.spec().interactive()) interactive.merge(job.spec().project(), sign, Integer::sum);
    }

    private void changeGpus(Job job, int sign) {
        long gpus = sign * job.spec().milliGpus();
        owner(job.owner()).held += gpus;
        Account project = project(job.spec().project());
        if (project.isOverQuota()) overQuota--;
        project.held += gpus;
        if (project.isOverQuota()) overQuota++;
    }

    public long heldBy(String owner) {
        return owner(owner).held;
    }

    long heldByProject(String project) {
        return project(project).held;
    }

    /** With what is held until somebody has stopped. */
    public long heldUntilStops(String project) {
        return heldByProject(project) + leaving.getOrDefault(project, 0L);
    }

    public int interactiveIn(String project) {
        return interactive.getOrDefault(project, 0);
    }

    /**
     * Whether its project's quota holds the job beside what the project has already. A quota is of
     * GPUs, so it says nothing about work without them.
     */
    public boolean isEntitled(Job job) {
        return isEntitled(job.spec());
    }

    public boolean isEntitled(JobSpec spec) {
        long gpus = spec.milliGpus();
        return gpus == 0 || beyondQuota(spec, gpus) <= 0;
    }

    /** How much more than its quota the project would hold with it. */
    public long beyondQuota(JobSpec spec) {
        return beyondQuota(spec, spec.milliGpus());
    }

    private long beyondQuota(JobSpec spec, long gpus) {
        Account project = project(spec.project());
        // Interactive work is never beyond the quota, not even until somebody has stopped.
        long held = spec.interactive() ? heldUntilStops(spec.project()) : project.held;
        return held + gpus - project.quota;
    }

    /**
     * Whether the quota would hold the job, if others of its project did not hold too much of it.
     */
    public boolean isQuotaFull(Job job) {
        Account project = project(job.spec().project());
        long gpus = job.spec().milliGpus();
        return gpus <= project.quota && project.held + gpus > project.quota;
    }

    /**
     * Whether it can have a place that its project has borrowed, where others of the project hold
     * more than its owner; interactive work needs the quota itself.
     */
    public boolean takesOfBorrowed(Job job) {
        return !job.spec().interactive() && project(job.spec().project()).isOverQuota();
    }

    /** Whether some project lives partly on what others have left idle. */
    public boolean isAnyOverQuota() {
        return overQuota > 0;
    }

    public Account owner(String name) {
        return byOwner.computeIfAbsent(name, _ -> new Account(Long.MAX_VALUE, 0));
    }

    public Account project(String name) {
        // Every waiting job asks, and a look is cheaper than an offer to put something there.
        Account known = byProject.get(name);
        if (known != null) return known;
        return byProject.computeIfAbsent(name, _ -> new Account(rules.quota(name), 0));
    }
}
