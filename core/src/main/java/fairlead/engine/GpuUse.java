package fairlead.engine;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What one GPU does now.
 *
 * @param gpu its index on the node
 * @param percent of the time in which something computed on it; empty where nobody can say
 * @param memoryBytes that are in use on it, whoever uses them
 */
public record GpuUse(String node, int gpu, OptionalInt percent, OptionalLong memoryBytes) {}
