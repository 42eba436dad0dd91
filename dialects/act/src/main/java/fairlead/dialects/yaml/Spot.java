package fairlead.dialects.yaml;

import java.nio.file.Path;

/**
 * A line of a config file.
 *
 * @param file as seen from the folder where the command was typed
 * @param line counted from 1; 0 is the file as a whole
 */
public record Spot(Path file, int line) {}
