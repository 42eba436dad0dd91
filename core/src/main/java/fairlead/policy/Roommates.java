package fairlead.policy;

import fairlead.cluster.Gpu;
import fairlead.cluster.NodeState;
import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Profile;
import fairlead.job.Setup;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Training;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which training jobs share a GPU. A job that allows it, and whose memory is known, holds only so
 * much of its GPU; another may move in where both together get more done than one alone would.
 * Goals, by rank: never more memory than the GPU has; nobody beside a script with which sharing was
 * measured to gain nothing; then the most work for each GPU.
 *
 * <p>Example: alone, an epoch of A takes 10 s and one of B 20 s. Beside each other they take 14 s
 * and 32 s: the GPU does 10/14 of A's work and 20/32 of B's, 1.34 together. They share. Had it been
 * 22 s and 40 s, they would do 0.95: they are separated, and do not meet again.
 */
final class Roommates {
    /** More than two were never measured, and each one more makes all of them slower. */
    private static final int SHARERS_MAX = 2;

    /** A pair that was never measured is tried: most published pairs do better than this. */
    private static final double FRACTION_UNKNOWN = 0.65;

    /** What two must get done together to move in, in GPUs; a restart has to pay. */
    private static final double GAIN_TO_JOIN = 1.1;

    /** Below this a measured pair is separated. */
    private static final double GAIN_TO_STAY = 1.05;

    /** Allocators round up and fragment: a peak may be a little more the next time. */
    private static final double MEMORY_MARGIN = 1.1;

    /** Beyond this part of its memory a GPU is about to fail somebody. */
    private static final double MEMORY_FULL = 0.95;

    private final View view;
    private final NodeState[] nodes;
    private final Set<JobId> leaving = new HashSet<>();
    private final Map<Bed, List<Job>> occupants = new TreeMap<>();

    /** A GPU of a node. */
    private record Bed(int node, int gpu) implements Comparable<Bed> {
        private static final Comparator<Bed> ORDER =
                Comparator.comparingInt(Bed::node).thenComparingInt(Bed::gpu);

        @Override
        public int compareTo(Bed other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * @param nodes as they are once the plan so far has been carried out
     * @param stops the plan's so far
     */
    Roommates(View view, NodeState[] nodes, List<Plan.Preempt> stops) {
        this.view = view;
        this.nodes = nodes;
        for (Plan.Preempt stop : stops) leaving.add(stop.victim());
        Map<String, Integer> indices = new HashMap<>();
        for (int i = 0; i < nodes.length; i++) indices.put(nodes[i].node().name(), i);
        for (Job job : view.active()) {
            for (TaskPlacement task :
                    ((JobState.Active) job.state()).attempt().placement().tasks()) {
                Integer node = indices.get(task.node());
                if (node == null) continue;
                for (Share share : task.shares()) {
                    occupants
                            .computeIfAbsent(new Bed(node, share.gpu()), _ -> new ArrayList<>())
                            .add(job);
                }
            }
        }
    }

    /** How much of a GPU the job takes when it may share: measured, or else as declared. */
    static Optional<Long> need(Job job, View view) {
        Training training = job.spec().training().orElseThrow();
        if (!training.sharing() || training.gpusMin() > 1) return Optional.empty();
        long measured = view.foresight().profile(job).memoryBytes();
        Optional<Long> bytes =
                measured > 0
                        ? Optional.of((long) (measured * MEMORY_MARGIN))
                        : training.memoryBytes().filter(declared -> declared > 0);
        return bytes.map(known -> Math.max(known, GpuPart.Memory.BYTES_MIN));
    }

    /** Whether it has its GPUs to itself now. */
    boolean isAlone(Job job) {
        return occupants.values().stream().noneMatch(all -> all.size() > 1 && all.contains(job));
    }

    /** A place for each of these beside somebody, where that pays; in their order. */
    List<Plan.Start> join(Collection<Job> waiting) {
        var starts = new ArrayList<Plan.Start>();
        for (Job job : waiting) {
            need(job, view)
                    .flatMap(bytes -> best(job, bytes))
                    .ifPresent(
                            bed -> {
                                var share = new Share(bed.gpu(), need(job, view).orElseThrow());
                                String role = job.spec().roles().getFirst().name();
                                String node = nodes[bed.node()].node().name();
                                var task =
                                        new TaskPlacement(
                                                new TaskId(role, 0), node, List.of(share));
                                starts.add(new Plan.Start(job.id(), new Placement(List.of(task))));
                                occupants.get(bed).add(job);
                            });
        }
        return starts;
    }

    private Optional<Bed> best(Job job, long bytes) {
        Bed best = null;
        double most = GAIN_TO_JOIN;
        for (var entry : occupants.entrySet()) {
            if (entry.getValue().size() >= SHARERS_MAX) continue;
            Job host = entry.getValue().getFirst();
            if (!isHost(host) || free(entry.getKey(), host) < bytes) continue;
            double gain = gain(job, host);
            if (gain > most) {
                best = entry.getKey();
                most = gain;
            }
        }
        return Optional.ofNullable(best);
    }

    private boolean isHost(Job job) {
        return job.state() instanceof JobState.Running running
                && !leaving.contains(job.id())
                && Classroom.isTrainee(job)
                && running.attempt().placement().tasks().size() == 1
                && job.spec().gpus() == 1
                && !running.attempt().placement().tasks().getFirst().shares().getFirst().isWhole();
    }

    /** What nobody holds, and nobody has outgrown a share into. */
    private long free(Bed bed, Job host) {
        NodeState node = nodes[bed.node()];
        for (int i = 0; i < node.node().gpus().size(); i++) {
            if (node.node().gpus().get(i).index() != bed.gpu()) continue;
            long outgrown = Math.max(0, used(host) - share(host, bed));
            return node.node().ready() ? node.freeUnits().get(i) - outgrown : 0;
        }
        return 0;
    }

    private static long used(Job job) {
        return job.progress().profile().memoryBytes();
    }

    private static long share(Job job, Bed bed) {
        for (TaskPlacement task : ((JobState.Active) job.state()).attempt().placement().tasks()) {
            for (Share share : task.shares()) if (share.gpu() == bed.gpu()) return share.units();
        }
        return 0;
    }

    /** Stops for those who should no longer share. */
    List<Plan.Preempt> separate(boolean gpusAreIdle) {
        var stops = new ArrayList<Plan.Preempt>();
        for (var entry : occupants.entrySet()) {
            List<Job> all = entry.getValue();
            boolean canBeJudged =
                    all.size() > 1
                            && all.stream()
                                    .allMatch(job -> job.state() instanceof JobState.Running);
            if (!canBeJudged) continue;
            // Who came last moves out.
            Job last = all.stream().max(OwnerQueue.OWN_ORDER).orElseThrow();
            if (isOverfull(entry.getKey(), all)) {
                Job grown =
                        all.stream()
                                .max(
                                        Comparator.comparingLong(
                                                job -> used(job) - share(job, entry.getKey())))
                                .orElseThrow();
                stop(grown, "it has outgrown its share of the GPU's memory", stops);
            } else if (measuredGain(all.getFirst(), all.getLast()).orElse(2) < GAIN_TO_STAY) {
                stop(last, "sharing a GPU with this neighbour gains nothing", stops);
            } else if (gpusAreIdle) {
                stop(last, "a GPU of its own is free", stops);
            }
        }
        return stops;
    }

    private void stop(Job job, String why, List<Plan.Preempt> stops) {
        if (!Classroom.isSettled(job, view) || leaving.contains(job.id())) return;
        stops.add(new Plan.Preempt(job.id(), job.id(), why));
        leaving.add(job.id());
    }

    private boolean isOverfull(Bed bed, List<Job> all) {
        long sum = 0;
        boolean anyOutgrown = false;
        for (Job job : all) {
            long share = share(job, bed);
            sum += Math.max(share, used(job));
            anyOutgrown |= used(job) > share;
        }
        long memory =
                nodes[bed.node()].node().gpus().stream()
                        .filter(gpu -> gpu.index() == bed.gpu())
                        .mapToLong(Gpu::memoryBytes)
                        .findFirst()
                        .orElse(Long.MAX_VALUE);
        return anyOutgrown && sum > memory * MEMORY_FULL;
    }

    /** How many GPUs' worth of work the two get done on one. */
    private double gain(Job one, Job other) {
        return fraction(one, other).orElse(FRACTION_UNKNOWN)
                + fraction(other, one).orElse(FRACTION_UNKNOWN);
    }

    private OptionalDouble measuredGain(Job one, Job other) {
        OptionalDouble its = fraction(one, other);
        OptionalDouble others = fraction(other, one);
        return its.isPresent() && others.isPresent()
                ? OptionalDouble.of(its.getAsDouble() + others.getAsDouble())
                : OptionalDouble.empty();
    }

    /** How much of its speed alone the job keeps beside the other. */
    private OptionalDouble fraction(Job job, Job other) {
        Profile profile = view.foresight().profile(job);
        var alone = profile.speed(Setup.alone(1, 1));
        var beside = profile.speed(new Setup(1, 1, other.spec().script()));
        return alone.isPresent() && beside.isPresent()
                ? OptionalDouble.of(alone.get().epochSeconds() / beside.get().epochSeconds())
                : OptionalDouble.empty();
    }
}
