package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.Map;

/**
 * Counts for people; /metrics has the same and more for Prometheus.
 *
 * @param gpusByOwner parts of GPUs count as what they are
 */
@Json
public record StatsBody(
        Map<String, Long> jobs, int gpus, int gpusFree, Map<String, Double> gpusByOwner) {}
