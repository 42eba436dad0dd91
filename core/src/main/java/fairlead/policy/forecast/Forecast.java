package fairlead.policy.forecast;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.policy.Explanation;
import fairlead.policy.Obstacle;
import fairlead.policy.Policy;
import fairlead.policy.Room;
import fairlead.policy.forecast.Calibration.Spread;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * When each waiting job is expected to start: the policy itself is run forward, through the ends,
 * stops and starts to come; once with each run time as it most likely is, then several times with
 * run times as they may come out, which gives the spread. Nobody new comes in it.
 *
 * <p>Its cost is bounded by the number of plans. Who has not started by then is played forward in
 * the order of the queue alone.
 */
public final class Forecast {
    /** Enough for a day of a busy lab; what comes later depends on too much. */
    private static final int PLANS_EACH_MAX = 400;

    /** For all runs together; about a second of a small cluster. */
    private static final int PLANS_MAX = 4_000;

    /** A plan costs about as much as there are nodes and jobs: so many of both in one forecast. */
    private static final int LOOKS_MAX = 400_000;

    /** To find the best sizes takes longer than to find places. */
    private static final int RESIZING_COST = 10;

    private static final int PLANS_MIN = 20;

    private static final int DRAWS_MAX = 15;

    /** Fewer say nothing about a tenth on each side. */
    private static final int DRAWS_MIN = 5;

    /** What is thought of a start where there are too few draws: half or twice the time. */
    private static final int UNSEEN_SPREAD = 2;

    /** By less than this nobody is seen to pass another. */
    private static final Duration SOONER_MIN = Duration.ofMinutes(1);

    /** Whoever stands further back learns that it is far. */
    private static final int JOBS_MAX = 10_000;

    private final View view;
    private final Playout middle;
    private final Map<JobId, Spread> starts;

    /** Whom it has looked at, in order; not all of them have a start. */
    private final List<Explanation> queue;

    private final Map<JobId, Explanation> judged = new HashMap<>();

    /** When a job may start: not before, most likely, and hardly later. */
    public record Band(Instant earliest, Instant expected, Instant latest) {}

    private Forecast(
            View view, Playout middle, Map<JobId, Spread> starts, List<Explanation> queue) {
        this.view = view;
        this.middle = middle;
        this.starts = starts;
        this.queue = queue;
        queue.forEach(each -> judged.put(each.job(), each));
    }

    /**
     * For the jobs of these explanations, in their order; those that can never start, and those too
     * far back, have none.
     */
    public static Forecast of(View view, Policy policy, List<Explanation> queue) {
        Set<JobId> awaited = new HashSet<>();
        for (Explanation each : queue.subList(0, Math.min(queue.size(), JOBS_MAX)))
            if (!each.isForGood()) awaited.add(each.job());
        var lifetimes = new Lifetimes(view);
        int plans = plansMax(view, policy, queue.size());
        var middle = new Playout(view, policy, lifetimes.middle());
        middle.run(awaited, Math.min(plans, PLANS_EACH_MAX));
        plans -= middle.plans();
        var draws = new ArrayList<Map<JobId, Instant>>();
        for (int i = 0; i < DRAWS_MAX && plans > 0 && !awaited.isEmpty(); i++) {
            var draw = new Playout(view, policy, lifetimes.draw(i));
            draw.run(awaited, Math.min(plans, PLANS_EACH_MAX));
            plans -= draw.plans();
            if (plans >= 0) draws.add(starts(draw, lifetimes.draw(i), queue, awaited));
        }
        Map<JobId, Spread> starts = new HashMap<>();
        starts(middle, lifetimes.middle(), queue, awaited)
                .forEach((job, at) -> starts.put(job, spread(view, job, at, draws)));
        return new Forecast(view, middle, starts, queue);
    }

    /** Whether it says something about this job, be it that nothing can be said. */
    public boolean hasJudged(JobId job) {
        return judged.containsKey(job);
    }

    /** When it was made. */
    public Instant at() {
        return view.now();
    }

    /** By job, as the draws have it, from the time when it was made. */
    public Map<JobId, Spread> starts() {
        return starts;
    }

    /** Where and when a job is first seen to start, if it is. */
    public record Begin(Instant at, Placement placement) {}

    /** Of a waiting job, with each run time as it most likely is. */
    public Optional<Begin> begins(JobId job) {
        return Optional.ofNullable(middle.begins().get(job))
                .map(begin -> new Begin(begin.at(), begin.placement()));
    }

    /** When a job that holds its place is seen to leave it; empty where it is not. */
    public Optional<Instant> leaves(JobId job) {
        return Optional.ofNullable(middle.leaves().get(job)).map(Playout.Leave::at);
    }

    /** What people are told; empty where nobody can say. */
    public Optional<Band> band(JobId job, Calibration calibration) {
        return Optional.ofNullable(starts.get(job))
                .map(calibration::told)
                .map(
                        told ->
                                new Band(
                                        view.now().plus(told.low()),
                                        view.now().plus(told.middle()),
                                        view.now().plus(told.high())));
    }

    /**
     * Who holds now what a job will start on, or what its project may not exceed, and when they
     * give it.
     */
    public List<Holder> holders(JobId job) {
        if (judged.containsKey(job)) {
            for (Obstacle each : judged.get(job).obstacles()) {
                if (each instanceof Obstacle.TooManyInteractive(String project, int _))
                    return Holder.of(project, holder -> holder.spec().interactive(), view, middle);
                if (each instanceof Obstacle.QuotaFull(String project, long _, long _, long _))
                    return Holder.of(project, _ -> true, view, middle);
            }
        }
        return Holder.of(job, view, middle);
    }

    /**
     * The first of those who stand behind a job and are nevertheless expected to start before it.
     */
    public Optional<Job> passedBy(JobId job) {
        Map<JobId, Job> waiting = waiting(view);
        if (!starts.containsKey(job) || !waiting.containsKey(job)) return Optional.empty();
        Duration sooner = starts.get(job).middle().minus(SOONER_MIN);
        boolean wantsGpus = waiting.get(job).spec().gpus() > 0;
        return queue.stream()
                .map(Explanation::job)
                .dropWhile(other -> !other.equals(job))
                .filter(starts::containsKey)
                .filter(other -> starts.get(other).middle().compareTo(sooner) < 0)
                .map(waiting::get)
                .filter(other -> other.spec().gpus() > 0 == wantsGpus)
                .findFirst();
    }

    private static int plansMax(View view, Policy policy, int waiting) {
        int size = 1 + view.nodes().size() + view.active().size() + waiting / 10;
        if (Playout.isSizing(view, policy)) size *= RESIZING_COST;
        return Math.clamp(LOOKS_MAX / size, PLANS_MIN, PLANS_MAX);
    }

    private static Spread spread(
            View view, JobId job, Instant middle, List<Map<JobId, Instant>> draws) {
        List<Duration> sorted =
                draws.stream()
                        .filter(draw -> draw.containsKey(job))
                        .map(draw -> Duration.between(view.now(), draw.get(job)))
                        .sorted()
                        .toList();
        if (sorted.size() < DRAWS_MIN) {
            Duration at = Duration.between(view.now(), middle);
            return new Spread(at.dividedBy(UNSEEN_SPREAD), at, at.multipliedBy(UNSEEN_SPREAD));
        }
        Duration low = quantile(sorted, 0.1);
        Duration high = quantile(sorted, 0.9);
        // As those in its way are expected to leave, so that the two agree; it may lie outside.
        return new Spread(low, Duration.between(view.now(), middle), high);
    }

    private static Duration quantile(List<Duration> sorted, double part) {
        double place = part * (sorted.size() - 1);
        Duration low = sorted.get((int) place);
        Duration high = sorted.get((int) Math.ceil(place));
        return low.plusMillis((long) (high.minus(low).toMillis() * (place - (int) place)));
    }

    private static Map<JobId, Instant> starts(
            Playout played, Playout.Lives lives, List<Explanation> queue, Set<JobId> awaited) {
        Map<JobId, Instant> starts = new HashMap<>();
        played.begins().forEach((job, begin) -> starts.put(job, begin.at()));
        starts.keySet().retainAll(awaited);
        if (starts.size() < awaited.size() && !played.isOver())
            queueOn(played.view(), lives, queue, starts);
        return starts;
    }

    private record End(Instant at, Job job, Placement placement) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : job.id().compareTo(other.job.id());
        }
    }

    /** Adds when those start who have no start yet, one after the other. */
    private static void queueOn(
            View view, Playout.Lives lives, List<Explanation> queue, Map<JobId, Instant> starts) {
        var room = Room.now(view);
        var ends = new PriorityQueue<End>();
        for (Job job : view.active()) {
            boolean isStopping = job.state() instanceof JobState.Stopping;
            Instant end = isStopping ? view.now() : view.now().plus(lives.left(job, view));
            ends.add(new End(end, job, ((JobState.Active) job.state()).attempt().placement()));
        }
        Map<JobId, Job> waiting = waiting(view);
        Instant now = view.now();
        for (Explanation each : queue.subList(0, Math.min(queue.size(), JOBS_MAX))) {
            Job job = waiting.get(each.job());
            if (job == null || starts.containsKey(each.job()) || !isOnlyInLine(each)) continue;
            Optional<Placement> placement = room.take(job.spec());
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
            ends.add(new End(start.plus(lives.left(job, view)), job, placement.get()));
        }
    }

    /** Whether it waits for room alone, and for no rule of its project. */
    private static boolean isOnlyInLine(Explanation each) {
        return each.obstacles().stream()
                .noneMatch(
                        obstacle ->
                                obstacle.isForGood()
                                        || obstacle instanceof Obstacle.QuotaFull
                                        || obstacle instanceof Obstacle.TooManyInteractive);
    }

    public static Map<JobId, Job> waiting(View view) {
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
