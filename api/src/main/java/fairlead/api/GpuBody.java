package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * One GPU of a node.
 *
 * @param memoryBytes null when unknown
 * @param freeThousandths how much of it nobody uses
 */
@Json
public record GpuBody(int index, String type, Long memoryBytes, int freeThousandths) {}
