package fairlead.policy;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Placement;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The expected start of the first job that finds no room, and what will be left beside it then. A
 * later job may pass it only if it is expected to end before that start, or if what it takes will
 * still be free afterwards: so a gang waits for the jobs before it and for nobody behind it.
 */
final class Reservation {
    /** After so long nobody passes by promising to be short: such promises have been wrong. */
    private static final Duration PATIENCE = Duration.ofHours(24);

    private final Job job;
    private final Instant start;
    private final Room spare;

    /** Those whose end makes the room for it. */
    private final Set<JobId> over;

    private Reservation(Job job, Instant start, Room spare, Set<JobId> over) {
        this.job = job;
        this.start = start;
        this.spare = spare;
        this.over = over;
    }

    /** A place in the making: ends one day as well as one that is held already. */
    record Seat(Job job, Placement placement) {}

    /**
     * Empty when no end makes room: then nothing is kept for it.
     *
     * @param future what is free once everyone who was asked to stop has stopped
     * @param seats what this plan has given away of it
     * @param leaving those that this plan asks to stop
     */
    static Optional<Reservation> of(
            Job job, View view, Room future, List<Seat> seats, Set<JobId> leaving) {
        var all = new ArrayList<End>(view.active().size() + seats.size());
        for (Job active : view.active()) {
            var state = (JobState.Active) active.state();
            if (state instanceof JobState.Stopping || leaving.contains(active.id())) continue;
            Instant at = Horizon.end(active, view, 100);
            all.add(new End(at, new Seat(active, state.attempt().placement())));
        }
        for (Seat seat : seats) {
            all.add(new End(view.now().plus(Horizon.runTime(seat.job(), view, 100)), seat));
        }
        // A heap, because the first few ends are often enough.
        var ends = new PriorityQueue<>(all);
        Room later = future.copy();
        var over = new HashSet<JobId>();
        while (!ends.isEmpty()) {
            End end = ends.remove();
            later.giveBack(end.seat().job().spec(), end.seat().placement());
            over.add(end.seat().job().id());
            if (later.take(job.spec()).isPresent()) {
                return Optional.of(new Reservation(job, end.at(), later, over));
            }
        }
        return Optional.empty();
    }

    private record End(Instant at, Seat seat) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : seat.job().id().compareTo(other.seat.job().id());
        }
    }

    Job job() {
        return job;
    }

    /** Whether the other job is expected to end before the start, wherever it runs. */
    boolean isPassedInTime(Job other, View view) {
        boolean isPatient = job.submitted().plus(PATIENCE).isAfter(view.now());
        if (!isPatient || view.foresight().runTime(other).isEmpty()) return false;
        return !view.now().plus(Horizon.runTime(other, view, 100)).isAfter(start);
    }

    /** Takes this place beside the reserved one for a job that may stay past the start. */
    boolean takeSpare(Job other, Placement placement) {
        return spare.take(other.spec(), placement);
    }

    /** The same once these have stopped for it. */
    boolean takeSpare(List<Job> stopped, Job other, Placement placement) {
        List<Job> early = stopped.stream().filter(each -> !over.contains(each.id())).toList();
        early.forEach(spare::release);
        if (spare.take(other.spec(), placement)) return true;
        early.forEach(spare::hold);
        return false;
    }
}
