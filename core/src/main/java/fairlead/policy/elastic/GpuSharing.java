package fairlead.policy.elastic;

import fairlead.cluster.NodeState;
import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.job.Share;
import fairlead.policy.Plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which training jobs share a GPU. A job that allows it, and whose memory is known, holds only so
 * much of its GPU; another may move in where both together get more done than one alone would.
 *
 * <p>Goals, by rank: never more memory than the GPU has; nobody beside a script with which sharing
 * was measured to gain nothing; nobody waits for ever because others share; then the most work for
 * each GPU.
 *
 * <p>The idea: whoever has a GPU is measured alone first. Then, of the first jobs in line, the pair
 * that gets most done moves together, and so on; what was never measured is hoped to gain, so it is
 * tried once. Who gains nothing is parted, and the measurement is remembered.
 *
 * <p>Example: alone, an epoch of A takes 10 s and one of B 20 s. Beside each other they take 14 s
 * and 32 s: the GPU does 10/14 of A's work and 20/32 of B's, 1.34 together. They share. Had it been
 * 22 s and 40 s, they would do 0.95: they are parted, and do not meet again.
 */
final class GpuSharing {
    /** More than two were never measured, and each one more makes all of them slower. */
    private static final int SHARERS_MAX = 2;

    /** What two must get done together, in GPUs: for less nobody is slowed down or restarted. */
    private static final double GAIN_MIN = 1.1;

    /** An epoch longer than this is not waited for: to share pays more than to know. */
    private static final Duration MEASURED_ALONE_MAX = Duration.ofMinutes(15);

    private final View view;
    private final NodeState[] nodes;
    private final SharedGpus shared;
    private final PairSpeed speed;
    private final Set<JobId> leaving = new HashSet<>();

    /**
     * Somebody in line who could move in somewhere.
     *
     * @param place in line, from 0
     */
    private record Option(int place, SharedGpus.Slot slot, double gain, boolean isMeasuredAlone) {
        /**
         * Who was never measured alone could not be distinguished from a bad neighbour, and goes
         * last.
         */
        static final Comparator<Option> BEST_FIRST =
                Comparator.comparing((Option option) -> !option.isMeasuredAlone)
                        .thenComparing(option -> -option.gain)
                        .thenComparing(Option::place)
                        .thenComparing(Option::slot);
    }

    /**
     * @param nodes as they are once the plan so far has been carried out; who moves in is added
     * @param stops the plan's so far
     */
    GpuSharing(View view, NodeState[] nodes, List<Plan.Preempt> stops) {
        this.view = view;
        this.nodes = nodes;
        this.shared = new SharedGpus(view, nodes);
        this.speed = new PairSpeed(view);
        for (Plan.Preempt stop : stops) leaving.add(stop.victim());
    }

    /**
     * A place beside somebody for those who gain most by it.
     *
     * @param line the first of those who got no GPU; nobody behind them passes
     */
    List<Plan.Start> join(List<Job> line) {
        var starts = new ArrayList<Plan.Start>();
        if (line.isEmpty()) return starts;
        List<Option> options = options(line);
        options.sort(
                hasBeenPassed(line.getFirst())
                        ? Comparator.comparing((Option option) -> option.place() > 0)
                                .thenComparing(Option.BEST_FIRST)
                        : Option.BEST_FIRST);
        var isPlaced = new boolean[line.size()];
        for (Option option : options) {
            if (isPlaced[option.place()]) continue;
            Optional<Plan.Start> start = moveIn(line.get(option.place()), option.slot());
            start.ifPresent(starts::add);
            isPlaced[option.place()] = start.isPresent();
        }
        return starts;
    }

    private List<Option> options(List<Job> line) {
        List<SharedGpus.Slot> open = new ArrayList<>();
        shared.all()
                .forEach(
                        (slot, all) -> {
                            if (all.size() < SHARERS_MAX && isHost(all.getFirst())) open.add(slot);
                        });
        var options = new ArrayList<Option>();
        for (int place = 0; place < line.size(); place++) {
            Job job = line.get(place);
            Optional<Long> bytes = SharedGpus.need(job, view);
            if (bytes.isEmpty()) continue;
            for (SharedGpus.Slot slot : open) {
                double gain = speed.expected(job, shared.in(slot).getFirst());
                if (gain >= GAIN_MIN && shared.fits(job, slot, bytes.get())) {
                    options.add(new Option(place, slot, gain, speed.isMeasuredAlone(job)));
                }
            }
        }
        if (options.stream().noneMatch(option -> option.place() == 0)) {
            Set<SharedGpus.Slot> kept = kept(line.getFirst(), open);
            options.removeIf(option -> kept.contains(option.slot()));
        }
        return options;
    }

    /** Whether it can be joined: it holds a part of one GPU, and has been measured alone. */
    private boolean isHost(Job job) {
        return job.state() instanceof JobState.Running running
                && !leaving.contains(job.id())
                && TrainingJobs.isTrainee(job)
                && SharedGpus.holdsPart(job)
                && (speed.isMeasuredAlone(job)
                        || !running.since().plus(MEASURED_ALONE_MAX).isAfter(view.now()));
    }

    /**
     * GPUs that stay unshared for the first in line, who cannot share: those that come free
     * soonest. Without this it would wait as long as there is anybody who can.
     */
    private Set<SharedGpus.Slot> kept(Job first, List<SharedGpus.Slot> open) {
        int wanted = Math.max(1, first.spec().training().orElseThrow().gpusMin());
        long unshared = shared.all().values().stream().filter(all -> all.size() == 1).count();
        long unsharedAnyway = unshared - open.size();
        Map<Integer, Long> onNode = new HashMap<>();
        for (SharedGpus.Slot slot : open) onNode.merge(slot.node(), 1L, Long::sum);
        Comparator<SharedGpus.Slot> together =
                Comparator.comparing(slot -> -onNode.get(slot.node()));
        Comparator<SharedGpus.Slot> soonest =
                Comparator.comparing(
                        slot -> speed.left(shared.in(slot).getFirst()).orElse(Double.MAX_VALUE));
        return new HashSet<>(
                open.stream()
                        .sorted(wanted > 1 ? together : soonest)
                        .limit(Math.max(0, wanted - unsharedAnyway))
                        .toList());
    }

    /** As many as there are GPUs came after it and run already: now it is its turn. */
    private boolean hasBeenPassed(Job first) {
        long passed =
                view.active().stream()
                        .filter(TrainingJobs::isTrainee)
                        .filter(job -> OwnerQueue.OWN_ORDER.compare(first, job) < 0)
                        .count();
        return passed >= view.nodes().stream().mapToInt(node -> node.node().gpus().size()).sum();
    }

    private Optional<Plan.Start> moveIn(Job job, SharedGpus.Slot slot) {
        long bytes = SharedGpus.need(job, view).orElseThrow();
        if (shared.in(slot).size() >= SHARERS_MAX || !shared.fits(job, slot, bytes)) {
            return Optional.empty();
        }
        var placement = new Placement(List.of(shared.take(job, slot, bytes)));
        return Optional.of(new Plan.Start(job.id(), placement));
    }

    /** Stops for those who take too much or gain nothing. */
    List<Plan.Preempt> separate() {
        var stops = new ArrayList<Plan.Preempt>();
        shared.all()
                .forEach(
                        (slot, all) -> {
                            if (all.size() < 2 || all.stream().anyMatch(this::isLeaving)) return;
                            Optional<Job> outgrown =
                                    shared.outgrown(slot).filter(this::isStoppable);
                            if (outgrown.isPresent()) {
                                String why = "it has outgrown its share of the GPU's memory";
                                stops.add(stop(outgrown.get(), why));
                            } else if (isSettledPair(all)
                                    && speed.present(all.getFirst(), all.getLast()) < GAIN_MIN) {
                                String why = "sharing a GPU with this neighbour gains nothing";
                                stops.add(stop(last(all), why));
                            }
                        });
        return stops;
    }

    private boolean isLeaving(Job job) {
        return leaving.contains(job.id()) || job.state() instanceof JobState.Stopping;
    }

    private boolean isStoppable(Job job) {
        return TrainingJobs.isTrainee(job) && job.state() instanceof JobState.Running;
    }

    private boolean isSettledPair(List<Job> all) {
        return all.size() == 2 && all.stream().allMatch(job -> TrainingJobs.isSettled(job, view));
    }

    /** Who came last has the least to lose. */
    private static Job last(List<Job> all) {
        return all.stream()
                .max(
                        Comparator.comparing((Job job) -> ((JobState.Active) job.state()).since())
                                .thenComparing(OwnerQueue.OWN_ORDER))
                .orElseThrow();
    }

    private Plan.Preempt stop(Job job, String why) {
        leaving.add(job.id());
        return new Plan.Preempt(job.id(), job.id(), why);
    }

    /** Stops for those who would be faster on GPUs that nobody wants; who gain least go first. */
    List<Plan.Preempt> part() {
        var pairs =
                shared.all().values().stream()
                        .filter(all -> all.stream().noneMatch(this::isLeaving))
                        .filter(this::isSettledPair)
                        .sorted(
                                Comparator.comparing(
                                        all -> speed.present(all.getFirst(), all.getLast())))
                        .toList();
        var stops = new ArrayList<Plan.Preempt>();
        for (List<Job> pair : pairs) {
            Job job = last(pair);
            Job other = pair.getFirst().equals(job) ? pair.getLast() : pair.getFirst();
            if (paysToMove(job, other) && takeIdle(job)) {
                stops.add(stop(job, "a GPU of its own is free"));
            }
        }
        return stops;
    }

    private boolean paysToMove(Job job, Job other) {
        double slower = 1 / speed.keptNow(job, other) - 1;
        double cost = view.rules().restart().plus(Elastic.ROUND).toSeconds();
        return speed.left(job).orElse(Double.MAX_VALUE) * slower > cost;
    }

    /** Whether there is an idle GPU with all that the job needs beside it; it is then taken. */
    private boolean takeIdle(Job job) {
        Resources ask = job.spec().sized(1, 1, GpuPart.WHOLE).roles().getFirst().resources();
        for (int i = 0; i < nodes.length; i++) {
            Optional<List<Share>> shares =
                    nodes[i].fits(ask) ? nodes[i].shares(ask) : Optional.empty();
            if (shares.isEmpty()) continue;
            nodes[i] = nodes[i].hold(ask, shares.get());
            return true;
        }
        return false;
    }
}
