package fairlead.justice;

import fairlead.job.Job;

import java.util.List;

/**
 * Somebody waits who need not, by the rule.
 *
 * @param stops the jobs of other people that could stop for it; none: there is room already
 */
public record Injustice(Job waiting, List<Job> stops) {
    public Injustice {
        stops = List.copyOf(stops);
    }

    /** For whoever reads a failure. */
    @Override
    public String toString() {
        return waiting.id()
                + " of "
                + waiting.owner()
                + " waits for "
                + stops.stream().map(job -> job.id() + " of " + job.owner()).toList();
    }
}
