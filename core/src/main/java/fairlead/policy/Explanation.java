package fairlead.policy;

import fairlead.job.JobId;

import java.util.List;

/**
 * A waiting job's place in the queue and what keeps it from starting now.
 *
 * @param place counted from 1, among those with GPUs or among those without
 */
public record Explanation(JobId job, int place, List<Obstacle> obstacles) {
    public Explanation {
        obstacles = List.copyOf(obstacles);
    }

    /** Whether no amount of waiting helps. */
    public boolean isForGood() {
        return obstacles.stream().anyMatch(Obstacle::isForGood);
    }
}
