package fairlead.cli.verb;

import fairlead.cli.Arguments;
import fairlead.cli.ExitCode;
import fairlead.cli.Failure;
import fairlead.cli.Option;
import fairlead.cli.Session;
import fairlead.dialects.act.ClusterConfig;
import fairlead.dialects.act.ConfigException;
import fairlead.dialects.act.ConfigFinder;
import fairlead.dialects.act.PhillyConfig;
import fairlead.dialects.act.Target;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The config file that a verb about jobs goes by, where the folder has one. */
final class Configs {
    private Configs() {}

    /**
     * The file of ACT that counts.
     *
     * @param cluster what {@code -c} says
     */
    static Optional<ClusterConfig> find(Optional<String> cluster, Session session) throws Failure {
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
    static Optional<ClusterConfig> asked(Arguments arguments, Session session) throws Failure {
        Optional<ClusterConfig> config = find(arguments.text(Option.CLUSTER), session);
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
                            + ConfigFinder.VARIABLE
                            + " the server's own jobs are shown");
        }
        return config;
    }

    /** The config that a job was submitted with, of ACT or of Philly. */
    static Optional<ClusterConfig> named(String name, Session session) throws Failure {
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
    static String cluster(Arguments arguments, Optional<ClusterConfig> config) {
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
