package fairlead.api.metrics;

import io.avaje.jsonb.Json;

import java.util.List;

/** What a job's script has reported, by name. */
@Json
public record MetricsBody(String id, List<SeriesBody> series) {
    /**
     * One metric. The lists have one entry for each point that is kept, oldest first; of a long
     * series that is not every one.
     *
     * @param reported how many points the script has reported
     * @param epochs null for a point of which the script did not say it
     * @param times in milliseconds since 1970
     */
    @Json
    public record SeriesBody(
            String name,
            long reported,
            List<Long> steps,
            List<Double> epochs,
            List<Long> times,
            List<Double> values) {}
}
