package fairlead.cli.verb;

import fairlead.cli.Arguments;
import fairlead.cli.ExitCode;
import fairlead.cli.Failure;
import fairlead.cli.Option;
import fairlead.cli.Session;
import fairlead.dialects.act.ClusterConfig;
import fairlead.dialects.act.ConfigException;
import fairlead.dialects.act.ConfigFinder;
import fairlead.dialects.act.Target;

import java.util.Optional;

/** The config file of ACT that a verb about jobs goes by, where the folder has one. */
final class Configs {
    private Configs() {}

    /**
     * @param cluster what {@code -c} says
     */
    static Optional<ClusterConfig> find(Optional<String> cluster, Session session) throws Failure {
        try {
            return ConfigFinder.find(
                    session.terminal().folder(), session.terminal().environment(), cluster);
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
}
