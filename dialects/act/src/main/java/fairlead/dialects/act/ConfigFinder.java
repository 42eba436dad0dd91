package fairlead.dialects.act;

import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.ConfigPlaces;
import fairlead.dialects.act.config.Target;
import fairlead.dialects.yaml.ConfigException;
import fairlead.dialects.yaml.Reading;
import fairlead.dialects.yaml.Spot;
import fairlead.dialects.yaml.YamlFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
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

    /** More would hide what the sentence is about. */
    private static final int NAMES_SHOWN = 5;

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
        if (cluster.isPresent())
            return named(ConfigPlaces.root(folder, environment), cluster.get());
        if (ConfigPlaces.isOff(environment)) return Optional.empty();
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
            // No file has such a name, so the reader reports it as missing.
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
        var reading = new Reading(ConfigPlaces.root(folder, environment), folder, environment);
        boolean isVariable = cluster.isEmpty() && environment.containsKey(ConfigPlaces.VARIABLE);
        if (isVariable && !Files.exists(file.get())) {
            Path shown = reading.shown(file.get());
            reading.mistake(
                    new Spot(shown, 0),
                    "there is no file " + shown + ", which " + ConfigPlaces.VARIABLE + " names");
            throw reading.failure();
        }
        return Optional.of(ActConfig.read(reading, file.get(), name(file.get())));
    }

    /** What the config is called that {@code -c} names; empty where no file is meant. */
    public static Optional<String> called(
            Path folder, Map<String, String> environment, String cluster) {
        return file(folder, environment, Optional.of(cluster)).map(ConfigFinder::name);
    }

    /**
     * How an option names the file that is meant by a path or by a name with its ending; empty
     * where that is no file either.
     *
     * @param option such as {@code -c}
     */
    public static Optional<String> spelling(
            Path folder, Map<String, String> environment, String option, String cluster) {
        String bare = cluster.substring(cluster.lastIndexOf('/') + 1).replaceFirst("\\.ya?ml$", "");
        if (bare.equals(cluster) || file(folder, environment, Optional.of(bare)).isEmpty()) {
            return Optional.empty();
        }
        String rest = cluster.contains("/") ? "folder and ending" : "ending";
        return Optional.of(
                "a config file is named without its " + rest + ", " + option + " " + bare);
    }

    /** What {@code -c} may say here, the first few of many; empty where no file counts. */
    public static String choice(Path folder, Map<String, String> environment) {
        try {
            return few(all(folder, environment).stream().map(FoundConfig::name).toList());
        } catch (IOException _) {
            // A folder that cannot be read has no file that could have counted.
            return "";
        }
    }

    /** The first few of many names, with how many more there are. */
    public static String few(List<String> names) {
        int more = names.size() - NAMES_SHOWN;
        if (more <= 0) return String.join(", ", names);
        return String.join(", ", names.subList(0, NAMES_SHOWN)) + " and " + more + " more";
    }

    /** The file that a name would mean, for words about it; a path is shown as it is. */
    public static String shown(String cluster) {
        boolean isBare = cluster.indexOf('/') < 0 && !cluster.endsWith(SUFFIX);
        return isBare
                ? ConfigPlaces.ACT_FOLDER + "/" + cluster + SUFFIX
                : "config file '" + cluster + "'";
    }

    /** A cluster is called as its file, and a link as what it leads to. */
    private static String name(Path file) {
        String name = YamlFile.real(file).getFileName().toString();
        return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    }

    /**
     * Everything that there is here, readable or not, in the order of the names. What only serves
     * as the {@code _base_} of another and is no whole config by itself is left out, and so is a
     * link to one of the others.
     */
    public static List<FoundConfig> all(Path folder, Map<String, String> environment)
            throws IOException {
        Path root = ConfigPlaces.root(folder, environment);
        Path usual = file(folder, environment, Optional.empty()).orElse(null);
        List<Path> files = files(root.resolve(ConfigPlaces.ACT_FOLDER));
        boolean isElsewhere =
                usual != null && files.stream().noneMatch(file -> isSame(file, usual));
        Set<Path> plain = new HashSet<>();
        for (Path file : files) if (!Files.isSymbolicLink(file)) plain.add(YamlFile.real(file));
        var found = new LinkedHashMap<Path, FoundConfig>();
        var bases = new HashMap<Path, Set<Path>>();
        if (isElsewhere) {
            var reading = new Reading(root, folder, environment);
            found.put(usual, read(reading, usual, true));
            bases.put(YamlFile.real(usual), reading.bases());
        }
        for (Path file : files) {
            Path real = YamlFile.real(file);
            if (Files.isSymbolicLink(file) && plain.contains(real)) continue;
            var reading = new Reading(root, folder, environment);
            found.put(file, read(reading, file, isSame(file, usual)));
            bases.put(real, reading.bases());
        }
        var all = new ArrayList<FoundConfig>();
        found.forEach(
                (file, config) -> {
                    boolean isBase = !config.isUsual() && isBase(YamlFile.real(file), bases);
                    if (config.config().isPresent() || !isBase) all.add(config);
                });
        return all;
    }

    /** Whether another goes on with it. Of two that are each other's, neither is a mere base. */
    private static boolean isBase(Path file, Map<Path, Set<Path>> bases) {
        return bases.entrySet().stream()
                .anyMatch(
                        other ->
                                !other.getKey().equals(file)
                                        && other.getValue().contains(file)
                                        && !bases.get(file).contains(other.getKey()));
    }

    private static FoundConfig read(Reading reading, Path file, boolean isUsual) {
        String name = name(file);
        try {
            ClusterConfig config = ActConfig.read(reading, file, name);
            return FoundConfig.good(name, reading.shown(file), isUsual, config);
        } catch (ConfigException e) {
            List<Target> targets = ActConfig.target(reading, file).stream().toList();
            return FoundConfig.bad(name, reading.shown(file), isUsual, targets, e);
        }
    }

    private static boolean isSame(Path file, Path other) {
        return other != null && YamlFile.real(file).equals(YamlFile.real(other));
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
