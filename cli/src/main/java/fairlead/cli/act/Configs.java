package fairlead.cli.act;

import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
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
     * The file of ACT that counts, for a question about its cluster, which is one of the server.
     */
    public static Optional<ClusterConfig> asked(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        Optional<ClusterConfig> config = find(arguments.text(Option.CLUSTER), session);
        if (config.isPresent()) return Optional.of(AzureCompute.placed(config.get(), session));
        tellMissing("this is about the whole server", arguments, session);
        return config;
    }

    /**
     * Tells why no config file counts where somebody may think that one does: a cluster's name
     * without a file, in a folder that has others, may be mistyped, and files above may be somebody
     * else's.
     *
     * @param instead what the command then is
     * @throws Failure where there are config files, and {@code -c} names neither one nor a cluster
     *     of the server
     */
    public static void tellMissing(String instead, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        boolean hasCluster = arguments.has(Option.CLUSTER);
        if (!hasCluster && ConfigPlaces.isOff(environment(session))) return;
        ConfigPlaces.foreign(folder(session), environment(session))
                .ifPresent(
                        files ->
                                session.say(
                                        files
                                                + " belongs to another account, so its config"
                                                + " files do not count here"));
        Optional<String> cluster = arguments.text(Option.CLUSTER);
        boolean mayBeFile = cluster.isPresent() && !choice(session).isEmpty();
        if (mayBeFile) refuseUnknown(arguments, session);
        missing(cluster.orElse(null), instead, session).ifPresent(session::say);
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
        int more = names.size() - NAMES_SHOWN;
        List<String> shown = more > 0 ? names.subList(0, NAMES_SHOWN) : names;
        Path files = Path.of(ConfigPlaces.ACT_FOLDER);
        if (!root.equals(folder(session))) files = root.resolve(files);
        return Optional.of(
                files
                        + " has no aml.yaml, so "
                        + instead
                        + "; -c "
                        + String.join(" or -c ", shown)
                        + (more > 0 ? " (and " + more + " more)" : "")
                        + " goes by a config");
    }

    private static String taken(String cluster, Session session) {
        String taken = "'" + cluster + "' is taken for a cluster of the server";
        Optional<String> spelling = spelling(Option.CLUSTER, cluster, session);
        if (spelling.isPresent()) return taken + ": " + spelling.get();
        return phillys(cluster, session).orElse(noFile(cluster)) + ": " + taken;
    }

    private static String noFile(String cluster) {
        return "there is no " + ConfigFinder.shown(cluster);
    }

    private static Optional<String> spelling(Option option, String name, Session session) {
        return ConfigFinder.spelling(folder(session), environment(session), option.letter(), name);
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
        throw new Failure(
                ExitCode.USAGE,
                phillys(name, session).orElse(noFile(name) + hint(Option.CLUSTER, name, session)));
    }

    /**
     * For a verb about named jobs, which has no other use for {@code -c}.
     *
     * @throws Failure where that names neither a config file nor a cluster of the server
     */
    public static void refuseUnknown(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String name = arguments.text(Option.CLUSTER).orElse(null);
        if (name == null || isThere(name, session) || phillys(name, session).isPresent()) return;
        var targets = new Targets(session);
        if (targets.knows(name)) return;
        String hint = hint(Option.CLUSTER, name, session);
        // Without config files a cluster was meant.
        if (hint.isEmpty()) targets.refuseUnknown(name);
        boolean isSpelled = spelling(Option.CLUSTER, name, session).isPresent();
        String either =
                isSpelled
                        ? ""
                        : "; nor has the server such a cluster, only "
                                + String.join(", ", targets.clusters());
        throw new Failure(ExitCode.USAGE, noFile(name) + hint + either);
    }

    /**
     * For a verb that does not go by config files.
     *
     * @throws Failure where {@code -c} names one of them, and no cluster of the server
     */
    public static void refuseFile(String verb, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String name = arguments.text(Option.CLUSTER).orElse(null);
        if (name == null || !isThere(name, session) || new Targets(session).knows(name)) return;
        String cluster =
                find(Optional.of(name), session)
                        .flatMap(ClusterConfig::target)
                        .map(target -> ", such as its engine: -c " + target.cluster())
                        .orElse("");
        throw new Failure(
                ExitCode.USAGE,
                "'%s' is the config file %s, but 'fairlead %s' takes a cluster of the server%s"
                        .formatted(name, ConfigFinder.shown(name), verb, cluster));
    }

    /**
     * How the file is spelled or which ones are here, as the end of a sentence about one that is
     * not.
     *
     * @param option that names it
     */
    public static String hint(Option option, String name, Session session) {
        return spelling(option, name, session)
                .map(spelling -> ": " + spelling)
                .orElse(choice(session));
    }

    /** Which files are here, as the end of a sentence about one that is not. */
    private static String choice(Session session) {
        String names = ConfigFinder.choice(folder(session), environment(session));
        return names.isEmpty() ? "" : "; here are " + names;
    }

    /** What {@code -c} may say. */
    private static List<String> names(Session session) {
        try {
            return ConfigFinder.all(folder(session), environment(session)).stream()
                    .map(FoundConfig::name)
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
