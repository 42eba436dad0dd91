package fairlead.dialects.yaml;

import java.nio.file.Path;

/**
 * A line of a config file.
 *
 * @param file as seen from the folder where the command was typed
 * @param line counted from 1
 */
public record Spot(Path file, int line) {}
