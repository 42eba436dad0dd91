package fairlead.policy.ranked;

import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.policy.Capacity;
import fairlead.policy.Explanation;
import fairlead.policy.Line;
import fairlead.policy.Obstacle;
import fairlead.policy.Places;
import fairlead.policy.Plan;
import fairlead.policy.Policy;
import fairlead.policy.Room;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * First come, first served; only an owner's own priorities let a job pass others of that owner.
 * Jobs without GPUs stand in a line of their own. The first that finds no room makes all behind it
 * wait; one that pauses, or that the whole cluster could not hold, is stepped over.
 */
public final class Fifo implements Policy {
    private static final Comparator<Line.Cursor> ORDER =
            Comparator.comparing((Line.Cursor head) -> head.job().submitted())
                    .thenComparing(head -> head.job().id());

    @Override
    public Plan plan(View view) {
        var starts = new ArrayList<Plan.Start>();
        var room = Room.now(view);
        for (Line line : lines(view)) {
            while (line.hasNext()) {
                Job job = line.next().job();
                if (isPausing(job, view)) continue;
                Optional<Placement> placement = room.take(job.spec());
                if (placement.isPresent()) starts.add(new Plan.Start(job.id(), placement.get()));
                else if (Capacity.neverFits(job.spec(), view).isEmpty()) break;
            }
        }
        return new Plan(starts, List.of());
    }

    @Override
    public List<Explanation> explain(View view) {
        var explanations = new ArrayList<Explanation>();
        var places = new Places();
        var room = Room.now(view);
        for (Line line : lines(view)) {
            Job blocker = null;
            int ahead = 0;
            while (line.hasNext()) {
                Job job = line.next().job();
                List<Obstacle> obstacles = List.of();
                Optional<Obstacle> never = Capacity.neverFits(job.spec(), view);
                if (isPausing(job, view)) {
                    obstacles =
                            List.of(
                                    new Obstacle.RetryPause(
                                            ((JobState.Queued) job.state()).notBefore()));
                } else if (never.isPresent()) {
                    obstacles = List.of(never.get());
                } else if (blocker != null) {
                    obstacles = List.of(new Obstacle.BehindInQueue(ahead, blocker.id()));
                    ahead++;
                } else if (room.take(job.spec()).isEmpty()) {
                    obstacles = room.obstacles(job.spec());
                    blocker = job;
                    ahead = 1;
                }
                explanations.add(new Explanation(job.id(), places.next(job, obstacles), obstacles));
            }
        }
        return explanations;
    }

    private static List<Line> lines(View view) {
        return List.of(
                new Line(
                        view.queues(), OwnerQueue::cpuJobs, OwnerQueue::cpuJobsHeld, _ -> 1, ORDER),
                new Line(
                        view.queues(),
                        OwnerQueue::gpuJobs,
                        OwnerQueue::milliGpusHeld,
                        job -> job.spec().milliGpus(),
                        ORDER));
    }

    private static boolean isPausing(Job job, View view) {
        return ((JobState.Queued) job.state()).notBefore().isAfter(view.now());
    }
}
