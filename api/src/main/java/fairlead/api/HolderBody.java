package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * A job that holds now what a waiting job needs.
 *
 * @param gpus on how many GPUs it stands in the way
 * @param gpuPart how much of each it has, such as {@code 0.5} or {@code 8G}; null when all
 * @param since since when it is there
 * @param gives how it will give its place, such as {@code will be asked to stop}
 * @param at when it does that; null when nobody can say
 * @param note what else there is to say, such as {@code undisturbed until then}; null for nothing
 */
@Json
public record HolderBody(
        String id,
        String owner,
        int gpus,
        String gpuPart,
        String since,
        String gives,
        String at,
        String note) {}
