package fairlead.policy.fair;

import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobState;
import fairlead.job.Verdict;
import fairlead.policy.Plan;
import fairlead.policy.Room;
import fairlead.policy.Tally;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a plan comes to: whatever it starts has started, and all who were to stop have stopped.
 * Costs as much as the plan changes, and a copy of the room and of the tally.
 */
final class Aftermath {
    private final StartingPoint before;
    private final View view;
    private final Room room;
    private final Tally tally;
    private final List<Job> started = new ArrayList<>();
    private final Set<JobId> gone = new HashSet<>();
    private final Map<String, Change> changes = new HashMap<>();

    /** What changes for one owner. */
    private static final class Change {
        private final Set<JobId> started = new HashSet<>();
        private final List<Job> back = new ArrayList<>();
        private long milliGpus;
        private boolean isSomethingOver;
    }

    private Aftermath(StartingPoint before) {
        this.before = before;
        this.view = before.view();
        this.room = before.room().copy();
        this.tally = before.tally().copy();
    }

    /**
     * @param promised who was to start then
     */
    static StartingPoint of(FairPass.Draft draft, StartingPoint before, List<Job> promised) {
        var after = new Aftermath(before);
        for (int i = 0; i < draft.started().size(); i++) {
            after.start(draft.started().get(i), draft.plan().starts().get(i));
        }
        for (int i = 0; i < draft.stopped().size(); i++) {
            after.stop(draft.stopped().get(i), draft.plan().preempts().get(i));
        }
        before.stopping().forEach(after::end);
        return after.point(promised);
    }

    private StartingPoint point(List<Job> promised) {
        return new StartingPoint(before, queues(), room, tally, gone, started, promised);
    }

    private void start(Job waiting, Plan.Start start) {
        var id = new AttemptId(waiting.id(), waiting.attempts() + 1);
        var attempt = new Attempt(id, start.placement());
        Job job = JobMachine.next(waiting, new Event.AttemptPlaced(view.now(), attempt));
        room.hold(job);
        tally.add(job);
        started.add(job);
        Change change = change(job);
        change.milliGpus += job.spec().milliGpus();
        change.started.add(job.id());
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
        room.release(job);
        tally.remove(job);
        gone.add(job.id());
        if (job.spec().gpus() == 0) return;
        Change change = change(job);
        change.milliGpus -= job.spec().milliGpus();
        AttemptId attempt = ((JobState.Active) job.state()).attempt().id();
        var ended = new Event.AttemptEnded(view.now(), attempt, new Verdict.Lost("rehearsed"));
        Job after = JobMachine.next(job, ended);
        if (after.isFinished()) change.isSomethingOver = true;
        else change.back.add(after);
    }

    private Change change(Job job) {
        return changes.computeIfAbsent(job.owner(), _ -> new Change());
    }

    /** Queues of owners for whom nothing changes stay as they are: they may be long. */
    private List<OwnerQueue> queues() {
        var queues = new ArrayList<OwnerQueue>();
        for (OwnerQueue queue : before.queues()) {
            Change change = changes.remove(queue.owner());
            queues.add(change == null ? queue : changed(queue, change));
        }
        changes.forEach(
                (owner, change) -> {
                    long held = tally.heldBy(owner) - change.milliGpus;
                    var none = new OwnerQueue(owner, held, 0, List.of(), List.of(), Instant.EPOCH);
                    queues.add(changed(none, change));
                });
        return queues;
    }

    private OwnerQueue changed(OwnerQueue queue, Change change) {
        List<Job> gpuJobs = stillWaiting(queue.gpuJobs(), change);
        gpuJobs.addAll(change.back);
        gpuJobs.sort(OwnerQueue.OWN_ORDER);
        return new OwnerQueue(
                queue.owner(),
                queue.milliGpusHeld() + change.milliGpus,
                queue.cpuJobsHeld(),
                gpuJobs,
                stillWaiting(queue.cpuJobs(), change),
                change.isSomethingOver ? view.now() : queue.gpuJobEnded());
    }

    private static List<Job> stillWaiting(List<Job> jobs, Change change) {
        var still = new ArrayList<>(jobs);
        if (!change.started.isEmpty()) still.removeIf(job -> change.started.contains(job.id()));
        return still;
    }
}
