package fairlead.dialects.act;

import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.Target;
import fairlead.dialects.yaml.ConfigException;
import fairlead.dialects.yaml.Problem;

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
 * @param targets what its engine names, also where there is a mistake elsewhere in it
 * @param mistakes none where it has a config
 * @param warnings what its author should know, whether it has one or not
 */
public record FoundConfig(
        String name,
        Path file,
        boolean isUsual,
        Optional<ClusterConfig> config,
        List<Target> targets,
        List<Problem> mistakes,
        List<Problem> warnings) {
    /** One that can be used. */
    public static FoundConfig good(String name, Path file, boolean isUsual, ClusterConfig config) {
        return new FoundConfig(
                name,
                file,
                isUsual,
                Optional.of(config),
                config.target().stream().toList(),
                List.of(),
                config.warnings());
    }

    /** One that cannot. */
    public static FoundConfig bad(
            String name,
            Path file,
            boolean isUsual,
            List<Target> targets,
            ConfigException mistakes) {
        return new FoundConfig(
                name,
                file,
                isUsual,
                Optional.empty(),
                targets,
                mistakes.problems(),
                mistakes.warnings());
    }
}
