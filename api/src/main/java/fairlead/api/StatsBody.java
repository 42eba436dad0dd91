package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.Map;

/** Counts for people; /metrics has the same and more for Prometheus. */
@Json
public record StatsBody(
        Map<String, Long> jobs, int gpus, int gpusFree, Map<String, Integer> gpusByOwner) {}
