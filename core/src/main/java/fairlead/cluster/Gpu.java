package fairlead.cluster;

/**
 * One GPU of a node.
 *
 * @param type the model's name as the driver gives it, or {@code declared} where there is no real
 *     one
 * @param memoryBytes zero when unknown
 */
public record Gpu(int index, String type, long memoryBytes) {}
