package fairlead.policy.fair;

import fairlead.cluster.Guest;
import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.policy.Tally;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * A piece of work where it stands in the fair order that everyone can look at: work without GPUs
 * first, then everyone's first GPU, everyone's second, and so on. Work stands at the number of its
 * owner's first GPU of it, counted over what the owner holds and then over what waits: interactive
 * jobs, then by priority, then by age; guests count among their owner's jobs, and what cannot start
 * whatever others do counts for nothing.
 *
 * <p>Where nobody has guests, those who wait stand here as {@link Fair} serves them.
 *
 * @param rank in thousandths of GPUs, counted from 1; for work without GPUs in pieces of it
 * @param borrows whether it waits for what other projects leave idle: those inside their quota are
 *     served before it
 */
public record Turn(Work work, long rank, boolean borrows) {
    /** A job of ours, or what somebody else has started. */
    public sealed interface Work {
        String owner();

        String name();

        boolean isInteractive();

        int priority();

        long milliGpus();

        /** Whether it has its place; otherwise it waits for one. */
        boolean holds();

        /** Since when it stands in the queue. */
        Instant since();
    }

    public record Ours(Job job) implements Work {
        @Override
        public String owner() {
            return job.owner();
        }

        @Override
        public String name() {
            return job.id().text();
        }

        @Override
        public boolean isInteractive() {
            return job.spec().interactive();
        }

        @Override
        public int priority() {
            return job.priority();
        }

        @Override
        public long milliGpus() {
            return job.spec().milliGpus();
        }

        @Override
        public boolean holds() {
            return job.state() instanceof JobState.Active;
        }

        @Override
        public Instant since() {
            return job.standing();
        }
    }

    public record Theirs(Guest guest) implements Work {
        @Override
        public String owner() {
            return guest.owner();
        }

        @Override
        public String name() {
            return guest.name();
        }

        @Override
        public boolean isInteractive() {
            return false;
        }

        @Override
        public int priority() {
            return guest.priority();
        }

        @Override
        public long milliGpus() {
            return 1_000L * guest.gpus();
        }

        @Override
        public boolean holds() {
            return guest.node().isPresent();
        }

        @Override
        public Instant since() {
            return guest.created();
        }
    }

    private static final Comparator<Work> OWN_ORDER =
            Comparator.comparing((Work work) -> !work.holds())
                    .thenComparing(work -> !work.isInteractive())
                    .thenComparing(work -> -work.priority())
                    .thenComparing(Work::since)
                    .thenComparing(Work::name);

    /** All work on a cluster, in the fair order. */
    public static List<Turn> all(View view) {
        Map<String, List<Work>> withGpus = new TreeMap<>();
        Map<String, List<Work>> withoutGpus = new TreeMap<>();
        for (Work work : work(view)) {
            (work.milliGpus() > 0 ? withGpus : withoutGpus)
                    .computeIfAbsent(work.owner(), _ -> new ArrayList<>())
                    .add(work);
        }
        var point = new StartingPoint(view);
        List<Turn> all = ranked(withoutGpus, point, _ -> 1);
        all.sort(order(Map.of()));
        Map<String, Double> line = new HashMap<>();
        point.gpuLine()
                .forEachRemaining(next -> line.put(next.job().id().text(), line.size() + 0.0));
        List<Turn> last =
                ranked(withGpus, point, work -> counts(work, point) ? work.milliGpus() : 0);
        for (Turn turn : last) if (turn.work instanceof Theirs) turn.squeezeIn(last, line);
        last.sort(order(line));
        all.addAll(last);
        return all;
    }

    private static List<Work> work(View view) {
        var all = new ArrayList<Work>();
        for (Job job : view.active()) all.add(new Ours(job));
        for (OwnerQueue queue : view.queues()) {
            for (Job job : queue.cpuJobs()) all.add(new Ours(job));
            for (Job job : queue.gpuJobs()) all.add(new Ours(job));
        }
        for (Guest guest : view.guests()) all.add(new Theirs(guest));
        return all;
    }

    private static boolean counts(Work work, StartingPoint point) {
        return work.holds() || !(work instanceof Ours(Job job)) || !point.isHeldUp(job);
    }

    /**
     * @param weight how far a piece of work moves its owner's next one back
     */
    private static List<Turn> ranked(
            Map<String, List<Work>> byOwner, StartingPoint point, ToLongFunction<Work> weight) {
        var turns = new ArrayList<Turn>();
        for (List<Work> works : byOwner.values()) {
            works.sort(
                    Comparator.comparing((Work work) -> weight.applyAsLong(work) == 0)
                            .thenComparing(OWN_ORDER));
            long rank = 1;
            for (Work work : works) {
                turns.add(new Turn(work, rank, isBeyondQuota(work, rank - 1, point)));
                rank += weight.applyAsLong(work);
            }
        }
        return turns;
    }

    private static boolean isBeyondQuota(Work work, long after, StartingPoint point) {
        return work instanceof Ours(Job job)
                && !work.holds()
                && !point.tally().isEntitled(job)
                && !isOfItsQuota(job, after, point);
    }

    /**
     * Whether others of its project hold all of the quota, and so much more than its owner that
     * enough of it is given: then it need not borrow.
     *
     * @param after what its owner holds or has ahead of it
     */
    private static boolean isOfItsQuota(Job job, long after, StartingPoint point) {
        Tally tally = point.tally();
        if (!tally.isQuotaFull(job)) return false;
        long missing = tally.beyondQuota(job.spec());
        Map<String, Long> kept = new HashMap<>();
        for (Candidates.Candidate each : point.candidates().in(job.spec().project())) {
            String owner = each.job().owner();
            long rest = kept.getOrDefault(owner, tally.heldBy(owner)) - each.milliGpus();
            if (owner.equals(job.owner()) || rest <= after) continue;
            kept.put(owner, rest);
            missing -= each.milliGpus();
            if (missing <= 0) return true;
        }
        return false;
    }

    /** Before the first job of the same rank that came later. */
    private void squeezeIn(List<Turn> all, Map<String, Double> line) {
        all.stream()
                .filter(other -> other.rank == rank && other.work.since().isAfter(work.since()))
                .filter(other -> other.work instanceof Ours)
                .mapToDouble(other -> line.getOrDefault(other.work.name(), Double.MAX_VALUE))
                .min()
                .ifPresent(place -> line.put(work.name(), place - 0.5));
    }

    /**
     * @param line by the name of a job that waits, its place among those of the same rank: it
     *     depends on when its owner last had a turn
     */
    private static Comparator<Turn> order(Map<String, Double> line) {
        return Comparator.comparing((Turn turn) -> turn.borrows)
                .thenComparingLong(Turn::rank)
                .thenComparing(turn -> !turn.work.holds())
                .thenComparing(turn -> line.getOrDefault(turn.work.name(), Double.MAX_VALUE))
                .thenComparing(turn -> turn.work.since())
                .thenComparing(turn -> turn.work.name());
    }

    /** The number of its owner's first GPU of it; zero for work without GPUs. */
    public int ordinal() {
        return work.milliGpus() == 0 ? 0 : (int) ((rank - 1) / 1_000) + 1;
    }
}
