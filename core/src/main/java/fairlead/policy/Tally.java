package fairlead.policy;

import fairlead.cluster.View;
import fairlead.job.Job;

import java.util.HashMap;
import java.util.Map;

/**
 * Who holds how much, as a plan in the making changes it: GPUs by owner and by project, in
 * thousandths, and interactive jobs by project.
 */
final class Tally {
    private final View view;
    private final Map<String, Account> byOwner = new HashMap<>();
    private final Map<String, Account> byProject = new HashMap<>();
    private final Map<String, Integer> interactive = new HashMap<>();

    /** By project, what is counted no more but held until its holders have stopped. */
    private final Map<String, Long> leaving = new HashMap<>();

    /** What one owner or project holds now. Kept by whoever looks at thousands of jobs. */
    static final class Account {
        private final long quota;
        private long held;

        private Account(long quota) {
            this.quota = quota;
        }

        long held() {
            return held;
        }

        boolean isOverQuota() {
            return held > quota;
        }
    }

    Tally(View view) {
        this.view = view;
        for (Job job : view.active()) change(job, 1);
    }

    void add(Job job) {
        change(job, 1);
    }

    void remove(Job job) {
        change(job, -1);
    }

    /** Says that a job that was removed is yet to stop. */
    void leaves(Job job) {
        leaving.merge(job.spec().project(), job.spec().milliGpus(), Long::sum);
    }

    private void change(Job job, int sign) {
        long gpus = sign * job.spec().milliGpus();
        owner(job.owner()).held += gpus;
        project(job.spec().project()).held += gpus;
        if (job.spec().interactive()) interactive.merge(job.spec().project(), sign, Integer::sum);
    }

    long heldBy(String owner) {
        return owner(owner).held;
    }

    long heldByProject(String project) {
        return project(project).held;
    }

    /** With what is held until somebody has stopped. */
    long heldUntilStops(String project) {
        return heldByProject(project) + leaving.getOrDefault(project, 0L);
    }

    int interactiveIn(String project) {
        return interactive.getOrDefault(project, 0);
    }

    /**
     * Whether its project's quota holds the job beside what the project has already. A quota is of
     * GPUs, so it says nothing about work without them.
     */
    boolean isEntitled(Job job) {
        long gpus = job.spec().milliGpus();
        String project = job.spec().project();
        // Interactive work is never beyond the quota, not even until somebody has stopped.
        long held = job.spec().interactive() ? heldUntilStops(project) : heldByProject(project);
        return gpus == 0 || held + gpus <= project(project).quota;
    }

    /** Whether some project lives partly on what others have left idle. */
    boolean isAnyOverQuota() {
        return byProject.values().stream().anyMatch(Account::isOverQuota);
    }

    Account owner(String name) {
        return byOwner.computeIfAbsent(name, _ -> new Account(Long.MAX_VALUE));
    }

    Account project(String name) {
        return byProject.computeIfAbsent(name, _ -> new Account(view.rules().quota(name)));
    }
}
