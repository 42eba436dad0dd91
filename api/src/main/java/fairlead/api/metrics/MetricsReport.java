package fairlead.api.metrics;

import io.avaje.jsonb.Json;

import java.util.List;
import java.util.Map;

/** Metrics that a script reports, oldest first. */
@Json
public record MetricsReport(List<PointBody> points) {
    /**
     * @param step null: the number of the report
     * @param epoch how many epochs were done; null where the script does not count them
     * @param values by the name of the metric; a null is ignored
     */
    @Json
    public record PointBody(Long step, Double epoch, Map<String, Double> values) {}
}
