package fairlead.policy.fair;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.policy.Room;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The place that one pass keeps for the first job that finds no room, as soon as there is such a
 * job, and what others find beside it.
 */
final class ReservedPlace {
    private Optional<Reservation> reservation = Optional.empty();

    /** What no end of a running job makes room for, such as while a node is down. */
    private final Set<List<Room.Ask>> hopeless = new HashSet<>();

    /** By room, what found a place there only in the reserved one. */
    private final Map<Room, Set<List<Room.Ask>>> foundNothing = new HashMap<>();

    /** Keeps one for this job, if some end makes room for it. */
    void reserve(
            Job job,
            StartingPoint point,
            Room future,
            List<Reservation.Seat> seats,
            Set<JobId> leaving) {
        List<Room.Ask> asks = Room.asks(job.spec());
        if (hopeless.contains(asks)) return;
        reservation = Reservation.of(job, point, future, seats, leaving);
        if (reservation.isEmpty()) hopeless.add(asks);
    }

    boolean isReserved() {
        return reservation.isPresent();
    }

    /** For whom. */
    JobId job() {
        return reservation.orElseThrow().job().id();
    }

    /** Takes a place in this room that does not delay the reserved start. */
    Optional<Placement> takeWithoutDelay(Job job, Room room, View view) {
        // Most find no room at all, and the rest costs more.
        if (!room.hasGpusFor(job.spec())) return Optional.empty();
        if (reservation.isEmpty() || reservation.get().isPassedInTime(job, view)) {
            return room.take(job.spec());
        }
        List<Room.Ask> asks = Room.asks(job.spec());
        Set<List<Room.Ask>> inVain = foundNothing.computeIfAbsent(room, _ -> new HashSet<>());
        if (inVain.contains(asks)) return Optional.empty();
        Optional<Placement> place = reservation.get().takeBeside(job, room);
        if (place.isEmpty()) inVain.add(asks);
        return place;
    }

    /** Whatever was refused may find another place once a job has one, which is not this one. */
    void lookAgain() {
        foundNothing.clear();
    }

    /** Takes a place beside it in this room, for a job for which room has been made. */
    Placement takeBeside(Job job, Room room) {
        return reservation
                .map(reserved -> reserved.takeBeside(job, room))
                .orElseGet(() -> room.take(job.spec()))
                .orElseThrow();
    }

    boolean fitsBeside(JobSpec spec, Room room) {
        return reservation
                .map(reserved -> reserved.fitsBeside(spec, room))
                .orElseGet(() -> room.fits(spec));
    }

    /** Whether one task fits on this node. */
    boolean fitsBesideOn(String node, Resources ask, Room room) {
        return reservation
                .map(reserved -> reserved.fitsBesideOn(node, ask, room))
                .orElseGet(() -> room.fitsOn(node, ask));
    }

    /** Counts on the job's stop. */
    void release(Job stopped) {
        reservation.ifPresent(reserved -> reserved.release(stopped));
    }

    /** Undoes a {@link #release}. */
    void hold(Job stopped) {
        reservation.ifPresent(reserved -> reserved.hold(stopped));
    }
}
