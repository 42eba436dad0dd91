package fairlead.justice;

import fairlead.cluster.Guest;
import fairlead.cluster.Rules;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.Project;

import java.util.HashMap;
import java.util.Map;

/** Who holds how many thousandths of GPUs, and whom one may therefore ask to stop for another. */
final class Books {
    private final Rules rules;
    private final Map<String, Long> byOwner = new HashMap<>();
    private final Map<String, Long> byProject = new HashMap<>();
    private final Map<String, Integer> interactive = new HashMap<>();

    Books(View view) {
        rules = view.rules();
        for (Guest guest : view.guests()) {
            byOwner.merge(guest.owner(), guest.milliGpusHeld(), Long::sum);
        }
        view.active().forEach(this::hold);
    }

    private Books(Books other) {
        rules = other.rules;
        byOwner.putAll(other.byOwner);
        byProject.putAll(other.byProject);
        interactive.putAll(other.interactive);
    }

    Books copy() {
        return new Books(this);
    }

    void hold(Job job) {
        count(job, 1);
    }

    void giveBack(Job job) {
        count(job, -1);
    }

    private void count(Job job, int sign) {
        byOwner.merge(job.owner(), sign * job.spec().milliGpus(), Long::sum);
        byProject.merge(project(job), sign * job.spec().milliGpus(), Long::sum);
        if (job.spec().interactive()) interactive.merge(project(job), sign, Integer::sum);
    }

    private static String project(Job job) {
        return job.spec().project();
    }

    long heldBy(String owner) {
        return byOwner.getOrDefault(owner, 0L);
    }

    private long heldByProject(String project) {
        return byProject.getOrDefault(project, 0L);
    }

    /** Whether the job is inside what its project is guaranteed. */
    boolean isInsideQuota(Job job) {
        return heldByProject(project(job)) + job.spec().milliGpus() <= rules.quota(project(job));
    }

    /** Whether it may run where there is room: nobody sits before what is only borrowed. */
    boolean mayRun(Job job) {
        if (!job.spec().interactive()) return true;
        Project project = rules.project(project(job));
        int running = interactive.getOrDefault(project.name(), 0);
        return isInsideQuota(job) && running < project.interactiveMax().orElse(Integer.MAX_VALUE);
    }

    /**
     * Whether the rule lets the job take the other's place, as far as GPUs decide it.
     *
     * @param isInsideQuota whether the job asks for what its project is guaranteed
     * @param after what its owner holds and has ahead of it
     */
    boolean mayTake(Job other, Job job, boolean isInsideQuota, long after) {
        boolean isOneProject = project(other).equals(project(job));
        if (other.owner().equals(job.owner())) return isOneProject && job.spec().interactive();
        long gpus = other.spec().milliGpus();
        boolean leavesMore = heldBy(other.owner()) - gpus > after;
        if (!rules.hasQuotas()) return leavesMore;
        long lent = heldByProject(project(other)) - rules.quota(project(other));
        if (isOneProject) return leavesMore && (isInsideQuota || lent > 0);
        if (isInsideQuota) return lent > 0;
        // What is not wholly lent would be asked back at once.
        return lent >= gpus && leavesMore;
    }
}
