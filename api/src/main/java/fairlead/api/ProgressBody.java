package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * How far a training job has come, by its own reports.
 *
 * @param savedAt the work until then is saved; null before the first epoch and checkpoint
 * @param gpuMemoryBytes the most that one of its GPUs has held; null when nobody has looked
 */
@Json
public record ProgressBody(int epochsDone, int epochs, String savedAt, Long gpuMemoryBytes) {}
