package fairlead.justice;

import fairlead.cluster.ClusterState;
import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.job.Share;
import fairlead.job.TaskPlacement;
import fairlead.job.Training;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A view as the rule counts where sizes may change: a training job needs the fewest GPUs that it
 * declares, and each one that it holds beyond that is a job of its own, which may be asked for.
 */
final class Portions {
    private final List<Job> active = new ArrayList<>();
    private int further;

    /** With everyone who runs and reports in portions. */
    static View of(View view) {
        var portions = new Portions();
        for (Job job : view.active()) {
            if (job.stopsAtCheckpoint()) portions.add(job, view.now());
            else portions.active.add(job);
        }
        return portions.in(view);
    }

    /** With those who wait asking for the least, and everyone who runs as a whole. */
    static View asking(View view) {
        var portions = new Portions();
        portions.active.addAll(view.active());
        return portions.in(view);
    }

    /** Once these have started, and as if they alone might be asked to give something. */
    static View after(View view, Map<JobId, Placement> starts) {
        var state = ClusterState.of(view);
        for (OwnerQueue queue : view.queues()) {
            for (Job job : queue.gpuJobs()) start(job, starts, state, view.now());
            for (Job job : queue.cpuJobs()) start(job, starts, state, view.now());
        }
        View started = state.view(view.now());
        Instant longAgo = view.now().minus(view.rules().undisturbed());
        var portions = new Portions();
        for (Job job : started.active()) {
            if (!starts.containsKey(job.id())) portions.active.add(since(job, view.now()));
            else if (job.spec().training().isEmpty()) portions.active.add(job);
            else portions.add(since(job, longAgo), view.now());
        }
        return portions.in(started);
    }

    private static void start(
            Job job, Map<JobId, Placement> starts, ClusterState state, Instant now) {
        Placement place = starts.get(job.id());
        if (place == null) return;
        var attempt = new Attempt(new AttemptId(job.id(), job.attempts() + 1), place);
        Job placed = JobMachine.next(job, new Event.AttemptPlaced(now, attempt));
        Job running = JobMachine.next(placed, new Event.AttemptStarted(now, attempt.id()));
        state.change(Optional.of(job), Optional.of(running));
    }

    private static Job since(Job job, Instant since) {
        if (!(job.state() instanceof JobState.Running running)) return job;
        return with(job, job.id(), job.spec(), running.attempt().placement(), since);
    }

    private View in(View view) {
        var queues = new ArrayList<OwnerQueue>();
        for (OwnerQueue queue : view.queues()) {
            queues.add(
                    new OwnerQueue(
                            queue.owner(),
                            queue.milliGpusHeld(),
                            queue.cpuJobsHeld(),
                            queue.gpuJobs().stream().map(Portions::leastOf).toList(),
                            queue.cpuJobs(),
                            queue.gpuJobEnded()));
        }
        return new View(
                view.now(),
                view.nodes(),
                queues,
                List.copyOf(active),
                view.foresight(),
                view.rules(),
                view.guests());
    }

    private static Job leastOf(Job job) {
        return isSized(job) ? job.asking(asking(job.spec(), least(job))) : job;
    }

    private static boolean isSized(Job job) {
        Resources ask = job.spec().roles().getFirst().resources();
        return job.spec().training().isPresent() && ask.gpus() > 0 && ask.gpuType().isEmpty();
    }

    private static int least(Job job) {
        return Math.max(1, job.spec().training().orElseThrow().gpusMin());
    }

    private static JobSpec asking(JobSpec spec, int gpus) {
        Training training = spec.training().orElseThrow();
        return spec.withTraining(training.asking(gpus));
    }

    private void add(Job job, Instant now) {
        List<TaskPlacement> tasks = ((JobState.Active) job.state()).attempt().placement().tasks();
        boolean isDivided =
                isSized(job)
                        && job.state() instanceof JobState.Running
                        && tasks.size() == 1
                        && job.spec().gpus() > least(job);
        if (!isDivided) {
            active.add(job);
            return;
        }
        Instant since = ((JobState.Active) job.state()).since();
        TaskPlacement task = tasks.getFirst();
        List<Share> all = task.shares();
        var gpu = new Resources(1, GpuPart.WHOLE, Optional.empty(), 0, 0);
        JobSpec one = asking(job.spec(), 1).withRoles(role -> role.asking(gpu));
        for (Share share : all.subList(least(job), all.size())) {
            var id = JobId.of(job.id().text(), now, further++);
            active.add(with(job, id, one, on(task, List.of(share)), since));
        }
        // Last, because it cannot stop while others of its GPUs go on.
        Placement kept = on(task, all.subList(0, least(job)));
        active.add(with(job, job.id(), asking(job.spec(), least(job)), kept, since));
    }

    private static Placement on(TaskPlacement task, List<Share> shares) {
        return new Placement(List.of(new TaskPlacement(task.task(), task.node(), shares)));
    }

    private static Job with(Job job, JobId id, JobSpec spec, Placement place, Instant since) {
        var attempt = new Attempt(new AttemptId(id, Math.max(1, job.attempts())), place);
        return job.portion(id, spec, new JobState.Running(attempt, since, Map.of()));
    }

    private Portions() {}

    /** Whether all of these are portions of what has just started. */
    static boolean areOf(List<Job> stops, Set<JobId> started) {
        return !stops.isEmpty()
                && stops.stream()
                        .allMatch(
                                stop ->
                                        started.stream()
                                                .anyMatch(
                                                        job ->
                                                                stop.id()
                                                                        .experiment()
                                                                        .equals(job.text())));
    }
}
