package fairlead.cli.verb;

import fairlead.cli.Arguments;
import fairlead.cli.Example;
import fairlead.cli.ExitCode;
import fairlead.cli.Failure;
import fairlead.cli.Option;
import fairlead.cli.Session;
import fairlead.cli.Suggestion;
import fairlead.cli.Usage;
import fairlead.cli.UsageException;
import fairlead.cli.Verb;
import fairlead.dialects.act.ClusterConfig;
import fairlead.dialects.act.FoundConfig;
import fairlead.dialects.act.Problem;
import fairlead.dialects.act.Target;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Reads the config files of ACT and Philly and names each mistake with its file and line. */
public final class CheckConfig implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("config"),
                "check",
                1,
                "check the config files of ACT and Philly in this folder",
                List.of(Option.CLUSTER),
                List.of(
                        Example.of(
                                "(cd examples/act && fairlead config check)",
                                "exits 2 where a file has a mistake"),
                        Example.of(
                                "(cd examples/act && fairlead config check -c aml)",
                                "only aux_data/aml/aml.yaml")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, IOException {
        String action = arguments.some("action").getFirst();
        if (!action.equals("check")) {
            throw new UsageException(
                    "'config' knows 'check' alone, not '"
                            + action
                            + "'."
                            + Suggestion.of(action, List.of("check")));
        }
        String cluster = arguments.text(Option.CLUSTER).orElse(null);
        List<FoundConfig> found = ConfigFiles.all(session);
        List<String> names = found.stream().map(FoundConfig::name).toList();
        if (cluster != null && !names.contains(cluster)) {
            throw new UsageException(
                    "there is no config file for '"
                            + cluster
                            + "', no aux_data/aml/"
                            + cluster
                            + ".yaml."
                            + Suggestion.of(cluster, names));
        }
        if (found.isEmpty()) {
            throw new Failure(
                    ExitCode.USAGE,
                    "there is no config file here: no aux_data/aml/*.yaml and no"
                            + " aux_data/configs/philly_vc.yaml");
        }
        if (cluster != null) found = found.stream().filter(is(cluster)).toList();
        return tell(found, session);
    }

    private static Predicate<FoundConfig> is(String cluster) {
        return config -> config.name().equals(cluster);
    }

    /** A mistake in an account file that several name is told once. */
    private static int tell(List<FoundConfig> found, Session session) throws IOException {
        Set<Problem> mistakes = new LinkedHashSet<>();
        Set<Problem> warnings = new LinkedHashSet<>();
        for (FoundConfig config : found) {
            mistakes.addAll(config.mistakes());
            config.config().ifPresent(read -> warnings.addAll(read.warnings()));
        }
        for (Problem mistake : mistakes) session.out().line(mistake.toString());
        for (Problem warning : warnings) session.out().line("warning: " + warning);
        for (FoundConfig config : found) {
            if (config.config().isPresent()) {
                session.out().line(config.file() + ": " + words(config.config().get()));
            }
        }
        if (mistakes.isEmpty()) return ExitCode.OK;
        session.say(mistakes.size() == 1 ? "1 mistake" : mistakes.size() + " mistakes");
        return ExitCode.USAGE;
    }

    private static String words(ClusterConfig config) {
        String where = config.target().map(CheckConfig::words).orElse(otherwise(config));
        String folders =
                config.folders().isEmpty()
                        ? "no folders"
                        : "folders " + String.join(", ", config.folders().keySet());
        return "'"
                + config.name()
                + "' "
                + where
                + ", "
                + config.gpusPerNode()
                + " GPUs on a node, code in "
                + Clusters.words(config.code())
                + ", "
                + folders;
    }

    private static String words(Target target) {
        return "runs on the cluster '"
                + target.cluster()
                + "'"
                + target.project().map(project -> " for the project '" + project + "'").orElse("");
    }

    private static String otherwise(ClusterConfig config) {
        return config.origin() == ClusterConfig.Origin.PHILLY
                ? "is a cluster of Philly, where jobs cannot be sent yet"
                : "is a cluster of Azure ML, where jobs cannot be sent yet";
    }
}
