package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * Why a job is where it is. What is only so for a waiting job is null for the others.
 *
 * @param ahead who stands before it, the next to start first; the last entry may be for the rest
 * @param needs what it asks for, such as {@code 2 GPUs on one node}
 * @param holders who holds now what it will start on, who gives first before the others
 * @param moreHolders how many more there are
 * @param predictedStart when it will most likely start; null when nobody can say
 * @param advice the cheapest single change with which it would start now, such as {@code with 1
 *     GPU}
 */
@Json
public record WhyBody(
        String id,
        String state,
        Integer place,
        List<AheadBody> ahead,
        String needs,
        List<String> obstacles,
        List<HolderBody> holders,
        Integer moreHolders,
        String predictedStart,
        String predictedEarliest,
        String predictedLatest,
        String advice) {}
