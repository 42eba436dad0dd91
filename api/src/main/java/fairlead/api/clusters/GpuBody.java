package fairlead.api.clusters;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * One GPU of a node.
 *
 * @param memoryBytes null when unknown
 * @param freeThousandths how much of it nobody uses
 * @param holds who has the rest of it; null from an older server
 */
@Json
public record GpuBody(
        int index, String type, Long memoryBytes, int freeThousandths, List<HoldBody> holds) {}
