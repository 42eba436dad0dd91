package fairlead.api.clusters;

import io.avaje.jsonb.Json;

import java.util.List;

/** What the GPUs of a cluster have done in the last hour, as far as somebody can see it. */
@Json
public record GpuUseList(String cluster, int periodSeconds, List<UsedGpu> gpus) {
    /**
     * One GPU. The lists have one entry for each look at it, oldest first.
     *
     * @param times in milliseconds since 1970
     * @param percent of the time in which something computed on it; null where nobody can say
     */
    @Json
    public record UsedGpu(
            String node,
            int gpu,
            List<Long> times,
            List<Integer> percent,
            List<Long> memoryBytes) {}
}
