package fairlead.dialects.philly;

import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.ConfigPlaces;
import fairlead.dialects.act.config.Target;
import fairlead.dialects.yaml.ConfigException;
import fairlead.dialects.yaml.Reading;
import fairlead.dialects.yaml.Section;
import fairlead.dialects.yaml.Spot;
import fairlead.dialects.yaml.Value;
import fairlead.dialects.yaml.YamlFile;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The config files of the Philly tool: one with what all clusters share, one with their names.
 *
 * @param vc the virtual cluster
 * @param clusters in the order of the file
 */
public record PhillyConfig(String vc, List<ClusterConfig> clusters) {
    private static final String NAMES = "aux_data/configs/multi_philly_vc.yaml";

    /** What the tool used where no file names clusters. */
    static final List<String> USUAL_CLUSTERS = List.of("sc2", "wu1");

    public PhillyConfig {
        clusters = List.copyOf(clusters);
    }

    /** The file, where this folder has one, or one above it as {@link ConfigPlaces#root} has it. */
    public static Optional<Path> file(Path folder, Map<String, String> environment) {
        Path root = ConfigPlaces.root(folder, environment);
        return Optional.of(root.resolve(ConfigPlaces.PHILLY_FILE)).filter(Files::exists);
    }

    /** The same file as messages name it. */
    public static Optional<Path> shownFile(Path folder, Map<String, String> environment) {
        return file(folder, environment).map(file -> Reading.shown(file, folder));
    }

    /** The same where it has a cluster of this name; a file with mistakes has none. */
    public static Optional<Path> shownFile(
            Path folder, Map<String, String> environment, String cluster) {
        try {
            return find(folder, environment)
                    .filter(
                            config ->
                                    config.clusters().stream()
                                            .anyMatch(one -> one.name().equals(cluster)))
                    .flatMap(_ -> shownFile(folder, environment));
        } catch (ConfigException _) {
            return Optional.empty();
        }
    }

    /**
     * Reads both files, with all that they name.
     *
     * @throws ConfigException where one of them has a mistake
     */
    public static Optional<PhillyConfig> find(Path folder, Map<String, String> environment)
            throws ConfigException {
        Optional<Path> file = file(folder, environment);
        if (file.isEmpty()) return Optional.empty();
        Path root = ConfigPlaces.root(folder, environment);
        var reading = new Reading(root, folder, environment);
        Path names = root.resolve(NAMES);
        PhillyConfig config = null;
        var whole = new Spot(reading.shown(file.get()), 0);
        Value.Block block = YamlFile.read(reading, file.get(), whole).orElse(null);
        if (block != null) {
            var section = new Section(reading, "", block);
            config = new PhillyReader(reading, section).read(file.get(), names);
        }
        if (!reading.isGood()) throw reading.failure();
        return Optional.of(config);
    }

    /** What the engine of the file names, whatever else is wrong with it. */
    public static List<Target> targets(Path folder, Map<String, String> environment) {
        Optional<Path> file = file(folder, environment);
        if (file.isEmpty()) return List.of();
        var reading = new Reading(ConfigPlaces.root(folder, environment), folder, environment);
        return YamlFile.read(reading, file.get(), new Spot(reading.shown(file.get()), 0))
                .map(block -> PhillyReader.targets(new Section(reading, "", block)))
                .orElse(List.of());
    }
}
