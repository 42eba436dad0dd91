package fairlead.policy;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Placement;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * When each waiting job is expected to start: the queue is played forward in its order, running and
 * started jobs ending when they are expected to. Done three times, with run times as foreseen, half
 * as long and twice as long, which gives the band.
 *
 * <p>It means the policy run again at each end; it differs from that in two ways: nobody passes a
 * waiting job, and nobody is preempted. Both make real starts earlier rather than later.
 */
public final class Forecast {
    private static final int HALF = 50;
    private static final int DOUBLE = 200;
    private static final int AS_FORESEEN = 100;

    /** Whoever stands further back learns that it is far: its start depends on too much. */
    private static final int JOBS_MAX = 10_000;

    private Forecast() {}

    /** When a job may start: not before, most likely, and hardly later. */
    public record Band(Instant earliest, Instant expected, Instant latest) {}

    /**
     * For the jobs of these explanations, in their order; those that can never start, and those too
     * far back, have none.
     */
    public static Map<JobId, Band> starts(View view, List<Explanation> queue) {
        Map<JobId, Instant> early = play(view, queue, HALF);
        Map<JobId, Instant> expected = play(view, queue, AS_FORESEEN);
        Map<JobId, Instant> late = play(view, queue, DOUBLE);
        var bands = new HashMap<JobId, Band>();
        expected.forEach(
                (job, at) -> {
                    Instant first = early.getOrDefault(job, at);
                    Instant last = late.getOrDefault(job, at);
                    // A shorter run may change who fits where, so the three need not be in order.
                    bands.put(
                            job,
                            new Band(
                                    first.isBefore(at) ? first : at,
                                    at,
                                    last.isAfter(at) ? last : at));
                });
        return bands;
    }

    private record End(Instant at, Job job, Placement placement) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : job.id().compareTo(other.job.id());
        }
    }

    private static Map<JobId, Instant> play(View view, List<Explanation> queue, int percent) {
        var room = Room.now(view);
        var ends = new PriorityQueue<End>();
        for (Job job : view.active()) {
            boolean isStopping = job.state() instanceof JobState.Stopping;
            Instant end = isStopping ? view.now() : Horizon.end(job, view, percent);
            ends.add(new End(end, job, ((JobState.Active) job.state()).attempt().placement()));
        }
        Map<JobId, Job> waiting = waiting(view);
        var starts = new HashMap<JobId, Instant>();
        Instant now = view.now();
        for (Explanation each : queue.subList(0, Math.min(queue.size(), JOBS_MAX))) {
            Job job = waiting.get(each.job());
            if (job == null || !canBeForeseen(each)) continue;
            var placement = room.take(job.spec());
            while (placement.isEmpty() && !ends.isEmpty()) {
                End end = ends.remove();
                if (end.at().isAfter(now)) now = end.at();
                room.giveBack(end.job().spec(), end.placement());
                placement = room.take(job.spec());
            }
            if (placement.isEmpty()) break;
            Instant pause = ((JobState.Queued) job.state()).notBefore();
            Instant start = pause.isAfter(now) ? pause : now;
            starts.put(job.id(), start);
            Instant end = start.plus(Horizon.runTime(job, view, percent));
            ends.add(new End(end, job, placement.get()));
        }
        return starts;
    }

    /** Who waits for a quota waits for people, who come and go as they like. */
    private static boolean canBeForeseen(Explanation each) {
        return each.obstacles().stream()
                .noneMatch(
                        obstacle ->
                                obstacle.isForGood()
                                        || obstacle instanceof Obstacle.QuotaFull
                                        || obstacle instanceof Obstacle.TooManyInteractive);
    }

    static Map<JobId, Job> waiting(View view) {
        Map<JobId, Job> waiting = new HashMap<>();
        view.queues()
                .forEach(
                        queue -> {
                            var all = new ArrayList<>(queue.gpuJobs());
                            all.addAll(queue.cpuJobs());
                            all.forEach(job -> waiting.put(job.id(), job));
                        });
        return waiting;
    }
}
