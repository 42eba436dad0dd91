package fairlead.policy;

import fairlead.cluster.NodeState;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobState;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Whether a plan keeps every promise: no GPU given twice, no half gang, no quota broken, nothing
 * started that does not wait, nothing stopped that does not run or must not be stopped. Knows
 * nothing of how the plan was made.
 */
public final class PlanCheck {
    private PlanCheck() {}

    /**
     * What is wrong with the plan; empty when it may become facts.
     *
     * @param jobs every unfinished job as it stands now
     */
    public static Optional<String> problem(
            Plan plan, View view, Function<JobId, Optional<Job>> jobs) {
        try {
            checkStarts(plan, view, jobs);
            checkQuotas(plan, view, jobs);
            checkPreempts(plan, jobs);
            return Optional.empty();
        } catch (IllegalArgumentException broken) {
            return Optional.of(broken.getMessage());
        }
    }

    private static void checkStarts(Plan plan, View view, Function<JobId, Optional<Job>> jobs) {
        if (plan.starts().isEmpty()) return;
        Map<String, NodeState> nodes = new HashMap<>();
        for (NodeState node : view.nodes()) nodes.put(node.node().name(), node);
        Set<JobId> started = new HashSet<>();
        for (Plan.Start start : plan.starts()) {
            check(started.add(start.job()), start.job() + " is started twice");
            var queued = (JobState.Queued) waiting(start.job(), jobs).state();
            check(!queued.notBefore().isAfter(view.now()), start.job() + " still pauses");
            Job job = placed(start, view, jobs);
            check(
                    tasks(job).equals(tasks(start)),
                    start.job() + " is not placed whole: " + tasks(start));
            for (TaskPlacement task : start.placement().tasks()) {
                var ask = job.spec().role(task.task().role()).resources();
                NodeState node = nodes.get(task.node());
                check(node != null, start.job() + " is placed on an unknown node: " + task.node());
                nodes.put(task.node(), node.take(ask, task.shares()));
            }
        }
    }

    /** Interactive work stays inside its project's quota and number, in the order of the plan. */
    private static void checkQuotas(Plan plan, View view, Function<JobId, Optional<Job>> jobs) {
        if (plan.starts().isEmpty()) return;
        var tally = new Tally(view);
        for (Plan.Start start : plan.starts()) {
            Job job = placed(start, view, jobs);
            if (job.spec().interactive()) {
                String project = job.spec().project();
                check(
                        tally.isEntitled(job),
                        job.id() + " is interactive and beyond the quota of " + project);
                var most = view.rules().project(project).interactiveMax();
                check(
                        most.isEmpty() || tally.interactiveIn(project) < most.getAsInt(),
                        job.id() + " is one interactive job too many in " + project);
            }
            tally.add(job);
        }
    }

    private static void checkPreempts(Plan plan, Function<JobId, Optional<Job>> jobs) {
        Set<JobId> stopped = new HashSet<>();
        for (Plan.Preempt preempt : plan.preempts()) {
            JobState victim = jobs.apply(preempt.victim()).map(Job::state).orElse(null);
            check(
                    victim instanceof JobState.Starting || victim instanceof JobState.Running,
                    preempt.victim() + " does not run");
            check(
                    !jobs.apply(preempt.victim()).orElseThrow().spec().interactive(),
                    preempt.victim() + " is interactive and must not be preempted");
            check(stopped.add(preempt.victim()), preempt.victim() + " is stopped twice");
            if (!resizes(preempt, jobs)) waiting(preempt.beneficiary(), jobs);
        }
    }

    /** A training job may be stopped to go on with another number of GPUs. */
    private static boolean resizes(Plan.Preempt preempt, Function<JobId, Optional<Job>> jobs) {
        return preempt.beneficiary().equals(preempt.victim())
                && jobs.apply(preempt.victim()).flatMap(job -> job.spec().training()).isPresent();
    }

    /** As it would stand there: a plan chooses the size of a training job. */
    private static Job placed(Plan.Start start, View view, Function<JobId, Optional<Job>> jobs) {
        Job job = waiting(start.job(), jobs);
        if (job.spec().training().isEmpty()) return job;
        var attempt = new Attempt(new AttemptId(job.id(), job.attempts() + 1), start.placement());
        Job placed = JobMachine.next(job, new Event.AttemptPlaced(view.now(), attempt));
        check(
                job.spec().training().get().allows(placed.spec().gpus()),
                start.job() + " does not allow " + placed.spec().gpus() + " GPUs");
        return placed;
    }

    private static Job waiting(JobId id, Function<JobId, Optional<Job>> jobs) {
        Optional<Job> job = jobs.apply(id);
        check(
                job.isPresent() && job.get().state() instanceof JobState.Queued,
                id + " does not wait");
        return job.get();
    }

    private static Set<TaskId> tasks(Job job) {
        Set<TaskId> tasks = new HashSet<>();
        for (Role role : job.spec().roles()) {
            for (int i = 0; i < role.count(); i++) tasks.add(new TaskId(role.name(), i));
        }
        return tasks;
    }

    private static Set<TaskId> tasks(Plan.Start start) {
        Set<TaskId> tasks = new HashSet<>();
        for (TaskPlacement task : start.placement().tasks()) {
            check(tasks.add(task.task()), task.task() + " of " + start.job() + " is placed twice");
        }
        return tasks;
    }

    private static void check(boolean good, String problem) {
        if (!good) throw new IllegalArgumentException(problem);
    }
}
