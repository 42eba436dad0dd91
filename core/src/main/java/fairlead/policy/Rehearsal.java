package fairlead.policy;

import fairlead.cluster.NodeState;
import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.TaskPlacement;
import fairlead.job.Verdict;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A plan tried out on a view: what it starts has started, and all who were to stop have stopped.
 */
final class Rehearsal {
    private final View view;
    private final Map<String, NodeState> nodes = new HashMap<>();
    private final Map<String, Long> held = new HashMap<>();
    private final Map<JobId, Job> active = new TreeMap<>();
    private final Map<String, List<Job>> back = new HashMap<>();
    private final Set<JobId> started = new HashSet<>();

    /** Owners of jobs that are over for good. */
    private final Set<String> done = new HashSet<>();

    private Rehearsal(View view) {
        this.view = view;
        for (NodeState node : view.nodes()) nodes.put(node.node().name(), node);
        for (Job job : view.active()) active.put(job.id(), job);
    }

    /** For whom others would stop, or stop already, and whom the plan would keep from starting. */
    static Set<JobId> inVain(Plan plan, View view) {
        Set<JobId> promised = FairPass.stoppingFor(view).keySet();
        Set<JobId> inVain = stillWaiting(plan, view, promised);
        if (inVain.stream().anyMatch(promised::contains)) {
            // A better rank may have come since: that is no fault of this plan.
            inVain.removeAll(stillWaiting(Plan.NOTHING, view, promised));
        }
        return inVain;
    }

    private static Set<JobId> stillWaiting(Plan plan, View view, Set<JobId> promised) {
        var helped = new HashSet<>(promised);
        plan.preempts().forEach(preempt -> helped.add(preempt.beneficiary()));
        if (helped.isEmpty()) return helped;
        View after = new Rehearsal(view).after(plan);
        Set<JobId> waiting = waiting(helped, after);
        if (waiting.isEmpty()) return waiting;
        Plan next = new FairPass(after, _ -> true).plan(waiting);
        Set<JobId> still = without(waiting, next);
        // Stops of that plan may prove to be in vain themselves, so it must do without them.
        if (!next.preempts().isEmpty()) {
            still.addAll(without(waiting, new FairPass(after, _ -> false).plan(waiting)));
        }
        return still;
    }

    private static Set<JobId> waiting(Set<JobId> some, View view) {
        Set<JobId> waiting = new HashSet<>();
        for (OwnerQueue queue : view.queues()) {
            for (Job job : queue.gpuJobs()) if (some.contains(job.id())) waiting.add(job.id());
        }
        return waiting;
    }

    private static Set<JobId> without(Set<JobId> jobs, Plan started) {
        var rest = new HashSet<>(jobs);
        started.starts().forEach(start -> rest.remove(start.job()));
        return rest;
    }

    private View after(Plan plan) {
        Map<JobId, Placement> places = new HashMap<>();
        for (Plan.Start start : plan.starts()) places.put(start.job(), start.placement());
        for (OwnerQueue queue : view.queues()) {
            queue.gpuJobs().forEach(job -> start(job, places));
            queue.cpuJobs().forEach(job -> start(job, places));
        }
        for (Plan.Preempt preempt : plan.preempts()) stop(active.get(preempt.victim()), preempt);
        for (Job job : view.active()) {
            if (job.state() instanceof JobState.Stopping) end(job);
        }
        return new View(
                view.now(),
                view.nodes().stream().map(node -> nodes.get(node.node().name())).toList(),
                queues(),
                List.copyOf(active.values()),
                view.foresight(),
                view.rules());
    }

    private void start(Job job, Map<JobId, Placement> places) {
        Placement place = places.get(job.id());
        if (place == null) return;
        var attempt = new Attempt(new AttemptId(job.id(), job.attempts() + 1), place);
        active.put(job.id(), JobMachine.next(job, new Event.AttemptPlaced(view.now(), attempt)));
        started.add(job.id());
        held.merge(job.owner(), job.spec().milliGpus(), Long::sum);
        for (TaskPlacement task : place.tasks()) {
            var ask = job.spec().role(task.task().role()).resources();
            nodes.computeIfPresent(task.node(), (_, node) -> node.hold(ask, task.shares()));
        }
    }

    private void stop(Job job, Plan.Preempt preempt) {
        AttemptId attempt = ((JobState.Active) job.state()).attempt().id();
        end(
                JobMachine.next(
                        job,
                        new Event.PreemptRequested(
                                view.now(), attempt, preempt.beneficiary(), preempt.why())));
    }

    private void end(Job job) {
        Attempt attempt = ((JobState.Active) job.state()).attempt();
        active.remove(job.id());
        held.merge(job.owner(), -job.spec().milliGpus(), Long::sum);
        for (TaskPlacement task : attempt.placement().tasks()) {
            var ask = job.spec().role(task.task().role()).resources();
            nodes.computeIfPresent(task.node(), (_, node) -> node.release(ask, task.shares()));
        }
        var ended = new Event.AttemptEnded(view.now(), attempt.id(), new Verdict.Lost("rehearsed"));
        Job after = JobMachine.next(job, ended);
        if (job.spec().gpus() == 0) return;
        if (after.isFinished()) {
            done.add(job.owner());
        } else {
            back.computeIfAbsent(job.owner(), _ -> new ArrayList<>()).add(after);
        }
    }

    /** Queues of owners for whom nothing changes stay as they are: they may be long. */
    private List<OwnerQueue> queues() {
        var queues = new ArrayList<OwnerQueue>();
        for (OwnerQueue queue : view.queues()) {
            long change = held.getOrDefault(queue.owner(), 0L);
            List<Job> returned = back.remove(queue.owner());
            boolean isSame = change == 0 && returned == null && started.isEmpty();
            queues.add(isSame ? queue : changed(queue, change, returned));
        }
        back.forEach(
                (owner, jobs) -> {
                    jobs.sort(OwnerQueue.OWN_ORDER);
                    queues.add(
                            new OwnerQueue(
                                    owner,
                                    heldBy(owner),
                                    0,
                                    jobs,
                                    List.of(),
                                    done.contains(owner) ? view.now() : Instant.EPOCH));
                });
        return queues;
    }

    private OwnerQueue changed(OwnerQueue queue, long change, List<Job> returned) {
        var gpuJobs = new ArrayList<>(queue.gpuJobs());
        gpuJobs.removeIf(job -> started.contains(job.id()));
        if (returned != null) {
            gpuJobs.addAll(returned);
            gpuJobs.sort(OwnerQueue.OWN_ORDER);
        }
        var cpuJobs = new ArrayList<>(queue.cpuJobs());
        cpuJobs.removeIf(job -> started.contains(job.id()));
        return new OwnerQueue(
                queue.owner(),
                queue.milliGpusHeld() + change,
                queue.cpuJobsHeld(),
                gpuJobs,
                cpuJobs,
                done.contains(queue.owner()) ? view.now() : queue.gpuJobEnded());
    }

    private long heldBy(String owner) {
        return active.values().stream()
                .filter(job -> job.owner().equals(owner))
                .mapToLong(job -> job.spec().milliGpus())
                .sum();
    }
}
