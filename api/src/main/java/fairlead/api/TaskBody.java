package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;
import java.util.Map;

/**
 * One task of the current or last attempt. The exit code is null while it runs or when it is lost.
 *
 * @param gpuMemoryBytes its part of its one GPU's memory; null when it has GPUs alone
 * @param gpuThousandths the same where the GPU's memory is unknown
 * @param ports that it has or had, by their labels; null where it has none
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
        String note,
        Map<String, List<Integer>> ports) {}
