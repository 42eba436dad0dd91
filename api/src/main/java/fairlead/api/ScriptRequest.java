package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * A training script to submit, in the form that the Kubernetes DL scheduler took at first. A null
 * is not said.
 *
 * @param scriptPath inside the container; {@code python} runs it
 * @param directoryToMount a folder that the script finds at {@code /exp}
 * @param disableGPUSharing by default true
 * @param estimatedMemory of one GPU, in MiB
 * @param username whose job it will be
 */
@Json
public record ScriptRequest(
        String jobName,
        String dockerImage,
        String scriptPath,
        String directoryToMount,
        Integer batchSize,
        Long trainingSetSize,
        Integer maxEpochs,
        Boolean isSingleGPU,
        Boolean disableGPUSharing,
        Long estimatedMemory,
        String username) {}
