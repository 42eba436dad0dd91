package fairlead.api.clusters;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * A node of a cluster and what is free on it. Memory in bytes.
 *
 * @param gpusFree those that nobody uses any part of
 */
@Json
public record NodeBody(
        String cluster,
        String name,
        boolean ready,
        int gpus,
        int gpusFree,
        List<String> gpuTypes,
        int cpus,
        int cpusFree,
        long memoryBytes,
        long memoryFreeBytes,
        List<GpuBody> devices) {}
