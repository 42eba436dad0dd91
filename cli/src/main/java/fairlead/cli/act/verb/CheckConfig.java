package fairlead.cli.act.verb;

import fairlead.api.client.Refused;
import fairlead.api.client.Unreachable;
import fairlead.api.words.Suggestion;
import fairlead.cli.act.ConfigFiles;
import fairlead.cli.act.Targets;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;
import fairlead.dialects.act.ConfigFinder;
import fairlead.dialects.act.FoundConfig;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.Target;
import fairlead.dialects.yaml.Problem;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Reads the config files of ACT and Philly and names each mistake with its file and line. */
public final class CheckConfig {
    private CheckConfig() {}

    /**
     * @param only the config file with this name; empty: all of them
     */
    public static int check(Optional<String> only, Session session)
            throws UsageException, Failure, IOException {
        var terminal = session.terminal();
        String cluster =
                only.map(
                                name ->
                                        ConfigFinder.called(
                                                        terminal.folder(),
                                                        terminal.environment(),
                                                        name)
                                                .orElse(name))
                        .orElse(null);
        List<FoundConfig> found = ConfigFiles.all(session);
        List<String> names = found.stream().map(FoundConfig::name).toList();
        if (cluster != null && !names.contains(cluster)) {
            Optional<String> spelling =
                    ConfigFinder.spelling(
                            terminal.folder(),
                            terminal.environment(),
                            Option.CLUSTER.letter(),
                            cluster);
            String choice =
                    names.isEmpty()
                            ? ", no " + ConfigFinder.shown(cluster) + "."
                            : "; here are " + ConfigFinder.few(names) + ".";
            throw new UsageException(
                    "there is no config file for '"
                            + cluster
                            + "'"
                            + spelling.map(words -> ": " + words)
                                    .orElse(choice + Suggestion.of(cluster, names)));
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

    /** A mistake in an account file that several name is printed once. */
    private static int tell(List<FoundConfig> found, Session session)
            throws UsageException, IOException {
        Map<FoundConfig, List<String>> unknown = unknownTargets(found, session);
        Set<String> mistakes = new LinkedHashSet<>();
        unknown.values().forEach(mistakes::addAll);
        Set<Problem> warnings = new LinkedHashSet<>();
        for (FoundConfig config : found) {
            for (Problem mistake : config.mistakes()) mistakes.add(mistake.toString());
            warnings.addAll(config.warnings());
        }
        for (String mistake : mistakes) session.out().line(mistake);
        for (Problem warning : warnings) session.out().line("warning: " + warning);
        for (FoundConfig config : found) {
            if (config.config().isPresent() && !unknown.containsKey(config)) {
                session.out().line(config.file() + ": " + words(config.config().get()));
            }
        }
        if (mistakes.isEmpty()) return ExitCode.OK;
        session.say(mistakes.size() == 1 ? "1 mistake" : mistakes.size() + " mistakes");
        return ExitCode.USAGE;
    }

    /**
     * Those whose engine names what the server does not know, in words; none where it cannot be
     * asked.
     */
    private static Map<FoundConfig, List<String>> unknownTargets(
            List<FoundConfig> found, Session session) throws UsageException, IOException {
        var unknown = new LinkedHashMap<FoundConfig, List<String>>();
        var targets = new Targets(session);
        try {
            for (FoundConfig each : found) {
                for (Target target : each.targets()) {
                    Optional<Problem> mistake = targets.mistake(target);
                    if (mistake.isEmpty()) continue;
                    unknown.computeIfAbsent(each, _ -> new ArrayList<>())
                            .add(mistake.get().toString());
                }
            }
        } catch (Failure | Refused | Unreachable e) {
            session.say("engine was not compared with what the server has: " + e.getMessage());
        }
        return unknown;
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
                + Words.count(config.gpusPerNode(), "GPU")
                + " on a node, code in "
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
                ? "is a cluster of Philly, which is gone: it needs a line 'engine: NAME'"
                : "runs on the compute '%s' of Azure ML"
                        .formatted(config.azure().computeTarget().orElse(""));
    }
}
