package fairlead.policy;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Resources;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

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
        record End(Instant at, Job job) {}
        var ends = new ArrayList<End>();
        for (Job active : view.active()) {
            if (active.state() instanceof JobState.Stopping) continue;
            ends.add(new End(Horizon.end(active, view, 100), active));
        }
        ends.sort(Comparator.comparing(End::at).thenComparing(end -> end.job().id()));
        Room later = future.copy();
        for (End end : ends) {
            later.release(end.job());
            if (later.freeGpus() < wholeGpus(job)) continue;
            if (later.take(job.spec()).isPresent()) {
                return Optional.of(new Reservation(job, end.at(), later));
            }
        }
        return Optional.empty();
    }

    private static long wholeGpus(Job job) {
        return job.spec().milliGpus() / Resources.GPU;
    }

    Job job() {
        return job;
    }

    /** Whether the other job may take this place now; if it stays past the start, it is counted. */
    boolean lets(Job other, Placement placement, View view) {
        boolean isPatient = job.submitted().plus(PATIENCE).isAfter(view.now());
        Optional<Duration> runTime = view.foresight().runTime(other);
        if (isPatient && runTime.isPresent()) {
            Instant end = view.now().plus(Horizon.runTime(other, view, 100));
            if (!end.isAfter(start)) return true;
        }
        return spare.take(other.spec(), placement);
    }

    List<Obstacle> behind(int jobsAhead) {
        return List.of(new Obstacle.BehindInQueue(jobsAhead, job.id()));
    }
}
