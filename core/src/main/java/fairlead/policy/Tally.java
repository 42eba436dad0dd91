package fairlead.policy;

import fairlead.cluster.OwnerQueue;
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
    private final Map<String, Long> byOwner = new HashMap<>();
    private final Map<String, Long> byProject = new HashMap<>();
    private final Map<String, Integer> interactive = new HashMap<>();

    Tally(View view) {
        this.view = view;
        for (OwnerQueue queue : view.queues()) byOwner.put(queue.owner(), 0L);
        for (Job job : view.active()) change(job, 1);
    }

    void add(Job job) {
        change(job, 1);
    }

    void remove(Job job) {
        change(job, -1);
    }

    private void change(Job job, int sign) {
        long gpus = sign * job.spec().milliGpus();
        byOwner.merge(job.owner(), gpus, Long::sum);
        byProject.merge(job.spec().project(), gpus, Long::sum);
        if (job.spec().interactive()) interactive.merge(job.spec().project(), sign, Integer::sum);
    }

    long heldBy(String owner) {
        return byOwner.getOrDefault(owner, 0L);
    }

    long heldByProject(String project) {
        return byProject.getOrDefault(project, 0L);
    }

    int interactiveIn(String project) {
        return interactive.getOrDefault(project, 0);
    }

    /** Whether its project's quota holds the job beside what the project has already. */
    boolean isEntitled(Job job) {
        long quota = view.rules().quota(job.spec().project());
        return heldByProject(job.spec().project()) + job.spec().milliGpus() <= quota;
    }

    /** Whether the project lives partly on what others have left idle. */
    boolean isOverQuota(String project) {
        return heldByProject(project) > view.rules().quota(project);
    }
}
