package fairlead.policy.fair;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.policy.Horizon;
import fairlead.policy.Room;

import java.time.Duration;
import java.time.Instant;
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
            Job job, StartingPoint point, Room future, List<Seat> seats, Set<JobId> leaving) {
        PriorityQueue<End> ends = point.ends();
        for (Seat seat : seats) ends.add(End.of(seat, point.view()));
        Room later = future.copy();
        var over = new HashSet<JobId>();
        while (!ends.isEmpty()) {
            End end = ends.remove();
            JobId id = end.seat().job().id();
            if (leaving.contains(id) || point.isGone(id)) continue;
            later.giveBack(end.seat().job().spec(), end.seat().placement());
            over.add(id);
            if (later.take(job.spec()).isPresent()) {
                return Optional.of(new Reservation(job, end.at(), later, over));
            }
        }
        return Optional.empty();
    }

    /** When a place is expected to be free again. */
    record End(Instant at, Seat seat) implements Comparable<End> {
        private static End of(Seat seat, View view) {
            return new End(view.now().plus(Horizon.runTime(seat.job(), view, 100)), seat);
        }

        static End of(Job active, View view) {
            Placement placement = ((JobState.Active) active.state()).attempt().placement();
            return new End(Horizon.end(active, view, 100), new Seat(active, placement));
        }

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

    /**
     * Takes a place in this room that is beside the reserved one, for one that may stay past it.
     */
    Optional<Placement> takeBeside(Job other, Room room) {
        return room.takeInBoth(other.spec(), spare);
    }

    boolean fitsBeside(JobSpec spec, Room room) {
        return room.fitsInBoth(spec, spare);
    }

    boolean fitsBesideOn(String node, Resources ask, Room room) {
        return room.fitsInBothOn(node, ask, spare);
    }

    /** Counts on its stop, which may come long before its end. */
    void release(Job stopped) {
        if (!over.contains(stopped.id())) spare.release(stopped);
    }

    /** Undoes a {@link #release}. */
    void hold(Job stopped) {
        if (!over.contains(stopped.id())) spare.hold(stopped);
    }
}
