package fairlead.policy;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Placement;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.PriorityQueue;

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

    private Reservation(Job job, Instant start, Room spare) {
        this.job = job;
        this.start = start;
        this.spare = spare;
    }

    /** Empty when no end of a running job makes room: then nothing is kept for it. */
    static Optional<Reservation> of(Job job, View view, Room future) {
        var running = new ArrayList<End>(view.active().size());
        for (Job active : view.active()) {
            if (active.state() instanceof JobState.Stopping) continue;
            running.add(new End(Horizon.end(active, view, 100), active));
        }
        // A heap, because the first few ends are often enough.
        var ends = new PriorityQueue<>(running);
        Room later = future.copy();
        while (!ends.isEmpty()) {
            End end = ends.remove();
            later.release(end.job());
            if (later.take(job.spec()).isPresent()) {
                return Optional.of(new Reservation(job, end.at(), later));
            }
        }
        return Optional.empty();
    }

    private record End(Instant at, Job job) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : job.id().compareTo(other.job.id());
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
}
