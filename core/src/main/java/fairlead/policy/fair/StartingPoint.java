package fairlead.policy.fair;

import fairlead.cluster.NodeState;
import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Role;
import fairlead.job.StopReason;
import fairlead.policy.Line;
import fairlead.policy.Obstacle;
import fairlead.policy.Room;
import fairlead.policy.Tally;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Where passes of the fair rule begin: a view as it is, or as it will be after a plan. What several
 * passes need is found once, when the first of them asks. Not thread-safe.
 */
final class StartingPoint {
    private static final Comparator<Line.Cursor> GPU_ORDER = StartingPoint::compareTurns;

    private static final Comparator<Line.Cursor> CPU_ORDER = StartingPoint::compareSubmits;

    private final View view;
    private final List<OwnerQueue> queues;
    private final Room room;
    private final Tally tally;
    private final int activeJobs;
    private final List<Job> stopping;
    private final Map<JobId, List<JobId>> stoppingFor;
    private final List<Job> promised;
    private final int promisedBefore;
    private final Common common;

    /** Who was active in the view and is not after the plan. */
    private final Set<JobId> gone;

    /** Who is active only after the plan. */
    private final List<Job> started;

    /** Those who want GPUs, as far as somebody has looked. */
    private final List<Line.Standing> inLine = new ArrayList<>();

    private final Line line;

    /** What no plan changes. */
    private static final class Common {
        private final Map<List<Room.Ask>, Optional<Obstacle>> neverFits = new HashMap<>();
        private Room empty;
        private Candidates candidates;
        private PriorityQueue<Reservation.End> ends;
        private NodeState largest;

        /** One of the nodes with the most GPUs, as if nothing ran there. */
        private NodeState largest(View view) {
            if (largest == null) {
                largest =
                        view.nodes().stream()
                                .map(NodeState::node)
                                .max(Comparator.comparingInt(node -> node.gpus().size()))
                                .map(node -> NodeState.empty(Room.ready(node)))
                                .orElse(Room.FULL);
            }
            return largest;
        }
    }

    StartingPoint(View view) {
        this.view = view;
        queues = view.queues();
        room = Room.now(view);
        tally = new Tally(view);
        activeJobs = view.active().size();
        stopping =
                view.active().stream()
                        .filter(job -> job.state() instanceof JobState.Stopping)
                        .toList();
        stoppingFor = stoppingFor(stopping);
        var promises = new Promises(view);
        promised = promises.kept();
        promisedBefore = promises.keptSinceBefore(view.now());
        common = new Common();
        gone = Set.of();
        started = List.of();
        line = line();
    }

    /** After a plan has been carried out and nobody stops any more. */
    StartingPoint(
            StartingPoint before,
            List<OwnerQueue> queues,
            Room room,
            Tally tally,
            Set<JobId> gone,
            List<Job> started,
            List<Job> promised) {
        view = before.view;
        this.queues = queues;
        this.room = room;
        this.tally = tally;
        activeJobs = before.activeJobs + started.size() - gone.size();
        stopping = List.of();
        stoppingFor = Map.of();
        this.promised = promised;
        promisedBefore = promised.size();
        common = before.common;
        this.gone = gone;
        this.started = started;
        line = line();
    }

    /** By the job that gains by it, who was asked to stop and has not yet stopped. */
    private static Map<JobId, List<JobId>> stoppingFor(List<Job> all) {
        var stoppingFor = new HashMap<JobId, List<JobId>>();
        for (Job job : all) {
            if (job.state() instanceof JobState.Stopping stopping
                    && stopping.reason() instanceof StopReason.Preempted preempted) {
                stoppingFor
                        .computeIfAbsent(preempted.beneficiary(), _ -> new ArrayList<>())
                        .add(job.id());
            }
        }
        return stoppingFor;
    }

    /**
     * Among equals whoever has waited longest. Were the submit alone to count, an owner with many
     * old jobs would have the first GPU again each time one of them ends.
     */
    private static int compareTurns(Line.Cursor one, Line.Cursor other) {
        int byRank = Long.compare(one.rank(), other.rank());
        if (byRank != 0) return byRank;
        int byTurn = waitsSince(one).compareTo(waitsSince(other));
        return byTurn != 0 ? byTurn : compareSubmits(one, other);
    }

    private static Instant waitsSince(Line.Cursor head) {
        Instant submitted = head.job().standing();
        Instant ended = head.queue().gpuJobEnded();
        return ended.isAfter(submitted) ? ended : submitted;
    }

    private static int compareSubmits(Line.Cursor one, Line.Cursor other) {
        int byRank = Long.compare(one.rank(), other.rank());
        if (byRank != 0) return byRank;
        int bySubmit = one.job().standing().compareTo(other.job().standing());
        return bySubmit != 0 ? bySubmit : one.job().id().compareTo(other.job().id());
    }

    private Line line() {
        return new Line(
                queues,
                OwnerQueue::gpuJobs,
                OwnerQueue::milliGpusHeld,
                job -> isHeldUp(job) ? 0 : job.spec().milliGpus(),
                GPU_ORDER);
    }

    /**
     * Whether the job cannot start whatever others do: it pauses, the cluster is too small for it,
     * or it is interactive and more than its project's quota. It counts for nobody behind it.
     */
    boolean isHeldUp(Job job) {
        boolean isPausing = ((JobState.Queued) job.state()).notBefore().isAfter(view.now());
        boolean isRefused =
                job.spec().interactive()
                        && job.spec().milliGpus() > view.rules().quota(job.spec().project());
        return isPausing || isRefused || !isSmall(job.spec()) && neverFits(job.spec()).isPresent();
    }

    /** Whether it fits on a node with the most GPUs, which is quickly found out. */
    private boolean isSmall(JobSpec spec) {
        Role role = spec.roles().getFirst();
        if (spec.roles().size() > 1 || role.count() > 1) return false;
        return common.largest(view).fits(role.resources());
    }

    /** For its time, its rules and its foresight: who holds what may have changed since. */
    View view() {
        return view;
    }

    List<OwnerQueue> queues() {
        return queues;
    }

    /** Free now; to be copied, not changed. */
    Room room() {
        return room;
    }

    /** To be copied, not changed. */
    Tally tally() {
        return tally;
    }

    int activeJobs() {
        return activeJobs;
    }

    /** Who was asked to stop, for whatever reason. */
    List<Job> stopping() {
        return stopping;
    }

    /** By the job that gains by it, who was asked to stop and has not yet stopped. */
    Map<JobId, List<JobId>> stoppingFor() {
        return stoppingFor;
    }

    /** Those who wait and for whom others stop, or have stopped, in the order of the promises. */
    List<Job> promised() {
        return promised;
    }

    /** How many of these were promised at an earlier time; the others were now. */
    int promisedBefore() {
        return promisedBefore;
    }

    boolean isGone(JobId id) {
        return gone.contains(id);
    }

    /** Those who wait for GPUs, in their order. */
    Iterator<Line.Standing> gpuLine() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < inLine.size() || line.hasNext();
            }

            @Override
            public Line.Standing next() {
                if (next == inLine.size()) inLine.add(line.next());
                return inLine.get(next++);
            }
        };
    }

    Line cpuLine() {
        return new Line(queues, OwnerQueue::cpuJobs, OwnerQueue::cpuJobsHeld, _ -> 1, CPU_ORDER);
    }

    /** Who may be stopped, those that are gone among them. */
    Candidates candidates() {
        if (common.candidates == null) common.candidates = new Candidates(view);
        return common.candidates;
    }

    /**
     * When the places of all who go on are expected to be free, those of the gone among them; the
     * caller's own.
     */
    PriorityQueue<Reservation.End> ends() {
        if (common.ends == null) common.ends = endsInView();
        var ends = new PriorityQueue<>(common.ends);
        for (Job job : started) ends.add(Reservation.End.of(job, view));
        return ends;
    }

    private PriorityQueue<Reservation.End> endsInView() {
        var all = new ArrayList<Reservation.End>(view.active().size());
        for (Job job : view.active()) {
            if (!(job.state() instanceof JobState.Stopping)) {
                all.add(Reservation.End.of(job, view));
            }
        }
        // A heap, because the first few ends are often enough.
        return new PriorityQueue<>(all);
    }

    /** What the whole cluster lacks for the job. Many have the same shape, so it is kept. */
    Optional<Obstacle> neverFits(JobSpec spec) {
        return common.neverFits.computeIfAbsent(
                Room.asks(spec),
                _ -> {
                    if (view.nodes().isEmpty()) return Optional.empty();
                    return ifEmpty().fits(spec)
                            ? Optional.empty()
                            : Optional.of(
                                    new Obstacle.NeverFits(
                                            ifEmpty().obstacles(spec).getFirst().wordsIfEmpty()));
                });
    }

    /** As if nothing ran; to be looked at, not changed. */
    Room ifEmpty() {
        if (common.empty == null) common.empty = Room.ifEmpty(view);
        return common.empty;
    }
}
