package fairlead.dialects.act;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A config file that was found, and what came of reading it.
 *
 * @param name what {@code -c} calls it
 * @param file as seen from the folder where the command was typed; the whole path where it is not
 *     below that
 * @param isUsual whether it counts where {@code -c} names none
 * @param config empty where it has a mistake
 * @param mistakes none where it has a config
 */
public record FoundConfig(
        String name,
        Path file,
        boolean isUsual,
        Optional<ClusterConfig> config,
        List<Problem> mistakes) {}
