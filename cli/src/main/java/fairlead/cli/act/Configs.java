package fairlead.cli.act;

import fairlead.cli.line.Arguments;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.dialects.act.ConfigFinder;
import fairlead.dialects.act.FoundConfig;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.ConfigPlaces;
import fairlead.dialects.act.config.Target;
import fairlead.dialects.philly.PhillyConfig;
import fairlead.dialects.yaml.ConfigException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The config file that a verb about jobs goes by, where the folder has one. */
public final class Configs {
    /** More would hide what the sentence is about. */
    private static final int NAMES_SHOWN = 5;

    private Configs() {}

    /**
     * The file of ACT that counts.
     *
     * @param cluster what {@code -c} says
     */
    public static Optional<ClusterConfig> find(Optional<String> cluster, Session session)
            throws Failure {
        try {
            return ConfigFinder.find(folder(session), environment(session), cluster);
        } catch (ConfigException e) {
            throw new Failure(ExitCode.USAGE, e.getMessage());
        }
    }

    /**
     * The file of ACT that counts, for a question about its cluster.
     *
     * @throws Failure also where the cluster is none of a Fairlead server: an answer about another
     *     would look like one about it
     */
    public static Optional<ClusterConfig> asked(Arguments arguments, Session session)
            throws Failure {
        Optional<ClusterConfig> config = find(arguments.text(Option.CLUSTER), session);
        if (config.isEmpty()) tellMissing("this is about the whole server", arguments, session);
        if (config.isPresent() && config.get().target().isEmpty()) {
            throw new Failure(
                    ExitCode.USAGE,
                    "'"
                            + config.get().name()
                            + "' ("
                            + config.get().file()
                            + ") is a cluster of Azure ML, which cannot be asked yet. A line"
                            + " 'engine: NAME' in the file names a cluster of your Fairlead server"
                            + " instead; with an empty "
                            + ConfigPlaces.VARIABLE
                            + " the server's own jobs are shown");
        }
        return config;
    }

    /**
     * Tells why no config file counts where somebody may think that one does: a cluster's name
     * without a file, in a folder that has others, may be mistyped, and files above may be somebody
     * else's.
     *
     * @param instead what the command then is
     */
    public static void tellMissing(String instead, Arguments arguments, Session session) {
        boolean hasCluster = arguments.has(Option.CLUSTER);
        if (!hasCluster && ConfigPlaces.isOff(environment(session))) return;
        ConfigPlaces.foreign(folder(session), environment(session))
                .ifPresent(
                        files ->
                                session.say(
                                        files
                                                + " belongs to another account, so its config"
                                                + " files do not count here"));
        missing(arguments.text(Option.CLUSTER).orElse(null), instead, session)
                .ifPresent(session::say);
    }

    private static Optional<String> missing(String cluster, String instead, Session session) {
        Path root = ConfigPlaces.root(folder(session), environment(session));
        if (!Files.isDirectory(root.resolve(ConfigPlaces.ACT_FOLDER))) {
            return PhillyConfig.shownFile(folder(session), environment(session))
                    .map(file -> file + " counts for 'fairlead p' alone, so " + instead);
        }
        if (cluster != null) return Optional.of(taken(cluster, session));
        List<String> names = names(session);
        if (names.isEmpty()) return Optional.empty();
        Path files = Path.of(ConfigPlaces.ACT_FOLDER);
        if (!root.equals(folder(session))) files = root.resolve(files);
        return Optional.of(
                files
                        + " has no aml.yaml, so "
                        + instead
                        + "; -c "
                        + String.join(" or -c ", names)
                        + " goes by a config");
    }

    private static String taken(String cluster, Session session) {
        String taken = "'" + cluster + "' is taken for a cluster of the server";
        Optional<String> spelling =
                ConfigFinder.spelling(folder(session), environment(session), cluster);
        if (spelling.isPresent()) return taken + ": " + spelling.get();
        return phillys(cluster, session).orElse(noFile(cluster)) + ": " + taken;
    }

    private static String noFile(String cluster) {
        return "there is no " + ConfigPlaces.ACT_FOLDER + "/" + cluster + ".yaml";
    }

    private static Optional<String> phillys(String cluster, Session session) {
        return PhillyConfig.shownFile(folder(session), environment(session), cluster)
                .map(file -> "the '" + cluster + "' of " + file + " is for 'fairlead p' alone");
    }

    /**
     * The file of ACT that counts, for a verb to which a cluster of the server means nothing.
     *
     * @throws Failure also where {@code -c} names none
     */
    public static Optional<ClusterConfig> only(Arguments arguments, Session session)
            throws Failure {
        Optional<String> cluster = arguments.text(Option.CLUSTER);
        Optional<ClusterConfig> config = find(cluster, session);
        if (config.isPresent() || cluster.isEmpty()) return config;
        String name = cluster.get();
        String hint =
                ConfigFinder.spelling(folder(session), environment(session), name)
                        .map(spelling -> ": " + spelling)
                        .orElse(choice(session));
        throw new Failure(ExitCode.USAGE, phillys(name, session).orElse(noFile(name) + hint));
    }

    /** Which files are here, as the end of a sentence about one that is not. */
    public static String choice(Session session) {
        String names = ConfigFinder.choice(folder(session), environment(session));
        return names.isEmpty() ? "" : "; here are " + names;
    }

    /** What {@code -c} may say; the first few of many. */
    private static List<String> names(Session session) {
        try {
            return ConfigFinder.all(folder(session), environment(session)).stream()
                    .map(FoundConfig::name)
                    .limit(NAMES_SHOWN)
                    .toList();
        } catch (IOException _) {
            // A folder that cannot be read has no file that could have counted.
            return List.of();
        }
    }

    /** Tells which file counts, where that is not to be seen in this folder. */
    public static void tellAbove(ClusterConfig config, Session session) {
        Path root = ConfigPlaces.root(folder(session), environment(session));
        if (root.equals(folder(session))) return;
        session.say(
                config.file()
                        + " counts, which is above this folder; the command begins at the top of"
                        + " the code");
    }

    /** Whether {@code -c} with this name means a config file. Looks at names alone. */
    public static boolean isThere(String name, Session session) {
        return ConfigFinder.file(folder(session), environment(session), Optional.of(name))
                .isPresent();
    }

    /** The config that a job was submitted with, of ACT or of Philly. */
    public static Optional<ClusterConfig> named(String name, Session session) throws Failure {
        Optional<ClusterConfig> act = find(Optional.of(name), session);
        if (act.isPresent()) return act;
        // Named by a variable, it may lie elsewhere.
        Optional<ClusterConfig> usual = find(Optional.empty(), session);
        if (usual.isPresent() && usual.get().name().equals(name)) return usual;
        try {
            Optional<PhillyConfig> philly =
                    PhillyConfig.find(folder(session), environment(session));
            for (ClusterConfig cluster : philly.map(PhillyConfig::clusters).orElse(List.of())) {
                if (cluster.name().equals(name)) return Optional.of(cluster);
            }
            return Optional.empty();
        } catch (ConfigException e) {
            throw new Failure(ExitCode.USAGE, e.getMessage());
        }
    }

    /**
     * The server's cluster that is meant: the config's, or a name without a config. Null means all.
     */
    public static String cluster(Arguments arguments, Optional<ClusterConfig> config) {
        Optional<String> target = config.flatMap(ClusterConfig::target).map(Target::cluster);
        if (target.isPresent() || config.isPresent()) return target.orElse(null);
        return arguments.text(Option.CLUSTER).orElse(null);
    }

    private static Path folder(Session session) {
        return session.terminal().folder();
    }

    private static Map<String, String> environment(Session session) {
        return session.terminal().environment();
    }
}
