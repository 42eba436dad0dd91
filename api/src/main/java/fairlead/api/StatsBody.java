package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;
import java.util.Map;

/**
 * Counts for people; /metrics has the same and more for Prometheus.
 *
 * @param gpusByOwner parts of GPUs count as what they are
 * @param predictedWell starts that fell into the band that the job was told when it began to wait
 * @param notes what the counts may lack, such as a cluster that cannot be reached
 */
@Json
public record StatsBody(
        Map<String, Long> jobs,
        int gpus,
        int gpusFree,
        Map<String, Double> gpusByOwner,
        long predictedWell,
        long predictedBadly,
        List<String> notes) {}
