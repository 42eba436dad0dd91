package fairlead.policy;

import fairlead.job.JobId;

import java.util.List;

/** A waiting job's place in the queue, counted from 1, and what keeps it from starting now. */
public record Explanation(JobId job, int place, List<Obstacle> obstacles) {
    public Explanation {
        obstacles = List.copyOf(obstacles);
    }
}
