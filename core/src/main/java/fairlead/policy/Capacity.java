package fairlead.policy;

import fairlead.cluster.View;
import fairlead.job.JobSpec;

import java.util.Optional;

/** Whether a cluster could hold a job at all. */
public final class Capacity {
    private Capacity() {}

    /** Why the job can never start while the cluster has just these nodes. */
    public static Optional<Obstacle> neverFits(JobSpec spec, View view) {
        if (view.nodes().isEmpty() || Room.ifEmpty(view).take(spec).isPresent())
            return Optional.empty();
        Obstacle lack = Room.ifEmpty(view).obstacles(spec).getFirst();
        return Optional.of(new Obstacle.NeverFits(lack.wordsIfEmpty()));
    }
}
