package fairlead.policy.ranked;

import fairlead.cluster.ClusterState;
import fairlead.cluster.NodeState;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.StopReason;
import fairlead.job.TaskPlacement;
import fairlead.policy.Capacity;
import fairlead.policy.Explanation;
import fairlead.policy.Obstacle;
import fairlead.policy.Places;
import fairlead.policy.Plan;
import fairlead.policy.PlanCheck;
import fairlead.policy.Policy;
import fairlead.policy.Room;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * All unfinished jobs stand in one order; from its head each that still fits the cluster should
 * run, and running ones that then find no room are stopped. For comparison with policies that keep
 * promises to people: owners, priorities and projects count for nothing, and large jobs may starve.
 *
 * <p>Running jobs keep their places, waiting ones are placed around them. A job that is being
 * preempted holds its GPUs until it has stopped; whoever they are meant for waits, and nobody
 * behind it starts in the meantime. Costs active jobs times nodes.
 *
 * <p>Example, by remaining time on 4 GPUs: a job with 4 GPUs runs for another hour when one with 1
 * GPU for ten minutes and one with 4 for a minute arrive. The last one should run; the first is
 * stopped for it, and the second finds no room.
 */
public final class Ranked implements Policy {
    private final Order order;

    public Ranked(Order order) {
        this.order = order;
    }

    /** Those chosen so far: running ones at their places, waiting ones around them in order. */
    private static final class Seats {
        final List<Job> waiting = new ArrayList<>();
        final List<Job> losers = new ArrayList<>();
        private final Instant now;
        private final ClusterState running;
        private List<Placement> places = new ArrayList<>();
        private Room room;

        Seats(View view) {
            now = view.now();
            running = new ClusterState();
            running.nodes(view.nodes().stream().map(NodeState::node).toList());
            room = Room.now(running.view(now));
        }

        /** Keeps a running job where it is, unless one before it needs that place. */
        void keep(Job job) {
            running.change(Optional.empty(), Optional.of(job));
            var around = Room.now(running.view(now));
            var moved = new ArrayList<Placement>();
            for (Job other : waiting) {
                Optional<Placement> place = around.take(other.spec());
                if (place.isEmpty()) {
                    running.change(Optional.of(job), Optional.empty());
                    losers.add(job);
                    return;
                }
                moved.add(place.get());
            }
            room = around;
            places = moved;
        }

        boolean seat(Job job) {
            Optional<Placement> place = room.take(job.spec());
            if (place.isEmpty()) return false;
            waiting.add(job);
            places.add(place.get());
            return true;
        }

        /** The view once the first of the waiting ones have started. */
        View after(View view, int started) {
            var state = new ClusterState();
            state.nodes(view.nodes().stream().map(NodeState::node).toList());
            for (Job job : view.active()) state.change(Optional.empty(), Optional.of(job));
            for (int i = 0; i < started; i++) {
                Job job = waiting.get(i);
                var id = new AttemptId(job.id(), job.attempts() + 1);
                var placed = new Event.AttemptPlaced(now, new Attempt(id, places.get(i)));
                state.change(Optional.empty(), Optional.of(JobMachine.next(job, placed)));
            }
            return state.view(now);
        }
    }

    @Override
    public Plan plan(View view) {
        Seats seats = seats(view, ranked(view));
        List<Plan.Start> starts = starts(view, seats);
        return new Plan(starts, preempts(seats, starts.size()), wake(view));
    }

    /**
     * Those whose places are free already, up to the first whose place is not: a job behind it must
     * not settle where a stop is about to make room for it.
     */
    private static List<Plan.Start> starts(View view, Seats seats) {
        var starts = new ArrayList<Plan.Start>();
        Map<JobId, Job> jobs = new HashMap<>();
        for (int i = 0; i < seats.waiting.size(); i++) {
            Job job = seats.waiting.get(i);
            jobs.put(job.id(), job);
            starts.add(new Plan.Start(job.id(), seats.places.get(i)));
        }
        if (isFree(starts, view, jobs)) return starts;
        int free = 0;
        while (isFree(starts.subList(0, free + 1), view, jobs)) free++;
        return starts.subList(0, free);
    }

    private static boolean isFree(List<Plan.Start> starts, View view, Map<JobId, Job> jobs) {
        var plan = new Plan(starts, List.of());
        return PlanCheck.problem(plan, view, id -> Optional.of(jobs.get(id))).isEmpty();
    }

    /** Stops the losers that stand where one of those who cannot start yet should stand. */
    private List<Plan.Preempt> preempts(Seats seats, int firstUnseated) {
        var preempts = new ArrayList<Plan.Preempt>();
        for (Job loser : seats.losers) {
            Set<String> nodes = nodes(((JobState.Active) loser.state()).attempt().placement());
            for (int i = firstUnseated; i < seats.waiting.size(); i++) {
                Job winner = seats.waiting.get(i);
                if (!(winner.state() instanceof JobState.Queued)) continue;
                if (nodes(seats.places.get(i)).stream().noneMatch(nodes::contains)) continue;
                preempts.add(new Plan.Preempt(loser.id(), winner.id(), order.why));
                break;
            }
        }
        return preempts;
    }

    @Override
    public List<Explanation> explain(View view) {
        List<Job> ranked = ranked(view);
        Seats seats = seats(view, ranked);
        int started = starts(view, seats).size();
        Set<Job> starting = Set.copyOf(seats.waiting.subList(0, started));
        Optional<Job> blocker = seats.waiting.stream().skip(started).findFirst();
        Room room = Room.now(seats.after(view, started));
        var explanations = new ArrayList<Explanation>();
        var places = new Places();
        for (Job job : ranked) {
            if (!(job.state() instanceof JobState.Queued)) continue;
            List<Obstacle> obstacles =
                    starting.contains(job)
                            ? List.of()
                            : List.of(
                                    obstacle(
                                            job,
                                            view,
                                            room,
                                            Math.max(1, places.ahead(job)),
                                            blocker));
            explanations.add(new Explanation(job.id(), places.next(job, obstacles), obstacles));
        }
        return explanations;
    }

    private static Obstacle obstacle(
            Job job, View view, Room room, int ahead, Optional<Job> blocker) {
        if (isPausing(job, view)) {
            return new Obstacle.RetryPause(((JobState.Queued) job.state()).notBefore());
        }
        Optional<Obstacle> never = Capacity.neverFits(job.spec(), view);
        if (never.isPresent()) return never.get();
        return blocker.filter(first -> !first.equals(job))
                .<Obstacle>map(first -> new Obstacle.BehindInQueue(ahead, first.id()))
                .orElseGet(() -> room.obstacles(job.spec()).getFirst());
    }

    private static Seats seats(View view, List<Job> ranked) {
        var seats = new Seats(view);
        var passed = new ArrayList<Job>();
        // Nobody stops interactive work, so the others are placed around it.
        Predicate<Job> stays = job -> Order.isPlaced(job) && job.spec().interactive();
        ranked.stream().filter(stays).forEach(seats::keep);
        for (Job job : ranked) {
            if (stays.test(job)) continue;
            if (Order.isPlaced(job)) seats.keep(job);
            else if (!isPausing(job, view) && !seats.seat(job)) passed.add(job);
        }
        // Moving others aside for a running job may have left a gap that was not there before.
        passed.forEach(seats::seat);
        return seats;
    }

    /** All that run, wait, or will wait again once they have stopped. */
    private List<Job> ranked(View view) {
        return Stream.concat(
                        view.active().stream().filter(Ranked::staysUnfinished),
                        view.queues().stream()
                                .flatMap(
                                        queue ->
                                                Stream.concat(
                                                        queue.gpuJobs().stream(),
                                                        queue.cpuJobs().stream())))
                .map(job -> order.rank(job, view))
                .sorted()
                .map(Order.Rank::job)
                .toList();
    }

    private static boolean staysUnfinished(Job job) {
        return !(job.state() instanceof JobState.Stopping stopping)
                || stopping.reason() instanceof StopReason.Preempted;
    }

    private Optional<Instant> wake(View view) {
        return view.active().stream()
                .flatMap(job -> order.change(job, view).stream())
                .min(Instant::compareTo);
    }

    private static boolean isPausing(Job job, View view) {
        return job.state() instanceof JobState.Queued queued
                && queued.notBefore().isAfter(view.now());
    }

    private static Set<String> nodes(Placement placement) {
        Set<String> nodes = new HashSet<>();
        for (TaskPlacement task : placement.tasks()) nodes.add(task.node());
        return nodes;
    }
}
