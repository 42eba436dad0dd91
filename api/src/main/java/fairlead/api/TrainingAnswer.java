package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * The answer to a training script.
 *
 * @param stop whether the job shall stop. At the start of an epoch and at a checkpoint this is an
 *     order, the same one for all ranks; otherwise only a hint that it will come.
 */
@Json
public record TrainingAnswer(boolean stop) {}
