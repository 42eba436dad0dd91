package fairlead.dialects.act;

import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.ConfigPlaces;
import fairlead.dialects.act.config.Target;
import fairlead.dialects.yaml.ConfigException;
import fairlead.dialects.yaml.Reading;
import fairlead.dialects.yaml.YamlFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the config files that a command may be about, from the folder where it is typed. */
public final class ConfigFinder {
    private static final String USUAL = ConfigPlaces.ACT_FOLDER + "/aml.yaml";
    private static final String SUFFIX = ".yaml";

    /** A list of more could not be read by anybody. */
    private static final int FILES_MAX = 1_000;

    private ConfigFinder() {}

    /**
     * The file that counts here, which need not be readable. Reads nothing, so that a command
     * without one pays nothing.
     *
     * @param cluster what {@code -c} says; a name without a file gives nothing: it may be a cluster
     *     of the server
     */
    public static Optional<Path> file(
            Path folder, Map<String, String> environment, Optional<String> cluster) {
        String variable = environment.get(ConfigPlaces.VARIABLE);
        if (variable != null && variable.isEmpty()) return Optional.empty();
        if (cluster.isPresent())
            return named(ConfigPlaces.root(folder, environment), cluster.get());
        if (variable != null) return Optional.of(path(folder, variable));
        return Optional.of(ConfigPlaces.root(folder, environment).resolve(USUAL))
                .filter(ConfigFinder::isThere);
    }

    private static Optional<Path> named(Path folder, String cluster) {
        if (!cluster.matches("[^/\\p{Cntrl}]{1,200}")) return Optional.empty();
        return Optional.of(folder.resolve(ConfigPlaces.ACT_FOLDER).resolve(cluster + SUFFIX))
                .filter(ConfigFinder::isThere);
    }

    private static Path path(Path folder, String name) {
        try {
            return folder.resolve(name).normalize();
        } catch (InvalidPathException _) {
            // No file has such a name, so that the reading tells it as missing.
            return folder.resolve(name.replace('\0', '?'));
        }
    }

    /** A link that leads nowhere counts: its owner wants to hear of it. */
    private static boolean isThere(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * The config that counts in this folder.
     *
     * @throws ConfigException where the file, or one that it names, has a mistake
     */
    public static Optional<ClusterConfig> find(
            Path folder, Map<String, String> environment, Optional<String> cluster)
            throws ConfigException {
        Optional<Path> file = file(folder, environment, cluster);
        if (file.isEmpty()) return Optional.empty();
        String name = cluster.orElseGet(() -> name(file.get()));
        var reading = new Reading(ConfigPlaces.root(folder, environment), folder, environment);
        return Optional.of(ActConfig.read(reading, file.get(), name));
    }

    /** A cluster is called as its file, and a link as what it leads to. */
    private static String name(Path file) {
        Path real;
        try {
            real = file.toRealPath();
        } catch (IOException _) {
            real = file;
        }
        return stem(real);
    }

    private static String stem(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    }

    /**
     * Everything that there is here, readable or not, in the order of the names. What only serves
     * as the {@code _base_} of another and is no whole config by itself is left out.
     */
    public static List<FoundConfig> all(Path folder, Map<String, String> environment)
            throws IOException {
        Path root = ConfigPlaces.root(folder, environment);
        var found = new LinkedHashMap<Path, FoundConfig>();
        var bases = new HashSet<Path>();
        Path usual = file(folder, environment, Optional.empty()).orElse(null);
        for (Path file : files(root.resolve(ConfigPlaces.ACT_FOLDER))) {
            var reading = new Reading(root, folder, environment);
            found.put(file, read(reading, file, isSame(file, usual), bases));
        }
        var all = new ArrayList<FoundConfig>();
        boolean isElsewhere =
                usual != null && found.values().stream().noneMatch(FoundConfig::isUsual);
        if (isElsewhere) {
            all.add(read(new Reading(root, folder, environment), usual, true, bases));
        }
        found.forEach(
                (file, config) -> {
                    boolean isBase = !config.isUsual() && bases.contains(YamlFile.real(file));
                    if (config.config().isPresent() || !isBase) all.add(config);
                });
        return all;
    }

    private static FoundConfig read(Reading reading, Path file, boolean isUsual, Set<Path> bases) {
        String name = stem(file);
        try {
            ClusterConfig config = ActConfig.read(reading, file, name);
            return FoundConfig.good(name, reading.shown(file), isUsual, config);
        } catch (ConfigException e) {
            List<Target> targets = ActConfig.target(reading, file).stream().toList();
            return FoundConfig.bad(name, reading.shown(file), isUsual, targets, e);
        } finally {
            bases.addAll(reading.bases());
        }
    }

    private static boolean isSame(Path file, Path other) {
        return other != null
                && file.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
    }

    private static List<Path> files(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) return List.of();
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().endsWith(SUFFIX))
                    .sorted()
                    .limit(FILES_MAX)
                    .toList();
        }
    }
}
