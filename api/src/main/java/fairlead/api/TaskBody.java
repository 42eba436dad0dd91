package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * One task of the current or last attempt. The exit code is null while it runs or when it is lost.
 *
 * @param gpuMemoryBytes its part of its one GPU's memory; null when it has GPUs alone
 * @param gpuThousandths the same where the GPU's memory is unknown
 */
@Json
public record TaskBody(
        String task,
        String state,
        String node,
        List<Integer> gpus,
        Long gpuMemoryBytes,
        Integer gpuThousandths,
        Integer exitCode,
        String note) {}
