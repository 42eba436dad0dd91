package fairlead.cli.act.verb;

import fairlead.api.client.Refused;
import fairlead.api.client.Unreachable;
import fairlead.api.clusters.ClusterBody;
import fairlead.cli.act.ConfigFiles;
import fairlead.cli.job.ClusterKind;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.act.FoundConfig;
import fairlead.dialects.act.JsonText;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.Mapped;
import fairlead.dialects.act.config.Target;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Lists where jobs can go: the config files of this folder, and the server's own clusters. */
public final class Clusters implements Verb {
    @Override
    public Usage usage() {
        return new Usage(
                List.of("clusters"),
                "",
                0,
                false,
                "list the config files of ACT here, and the server's clusters",
                "The config file with a star counts where -c names none. 'fairlead config check'"
                        + " says more about\neach.",
                List.of(Option.JSON),
                List.of(
                        Example.of("fairlead clusters", "where jobs can go"),
                        Example.of(
                                "(cd examples/act && fairlead clusters)",
                                "with the config files of a folder")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<FoundConfig> configs = ConfigFiles.all(session);
        List<ClusterBody> clusters = clusters(session, !configs.isEmpty());
        if (arguments.has(Option.JSON)) {
            session.json(json(configs, clusters).getBytes(StandardCharsets.UTF_8));
            return ExitCode.OK;
        }
        if (!configs.isEmpty()) session.out().print(configTable(configs));
        if (!configs.isEmpty() && !clusters.isEmpty()) session.out().line("");
        if (!clusters.isEmpty()) session.out().print(clusterTable(clusters));
        return ExitCode.OK;
    }

    /** Config files can be listed without a server. */
    private static List<ClusterBody> clusters(Session session, boolean hasConfigs)
            throws UsageException, Failure, Refused, IOException {
        try {
            return new ClusterKind(session).all();
        } catch (Unreachable e) {
            if (!hasConfigs) throw e;
            session.say(e.getMessage());
            return List.of();
        }
    }

    private static String configTable(List<FoundConfig> configs) {
        var table = new Table().row("CONFIG", "ENGINE", "COMPUTE", "GPUS/NODE", "CODE", "FILE");
        for (FoundConfig found : configs) {
            String name = found.name() + (found.isUsual() ? " *" : "");
            ClusterConfig config = found.config().orElse(null);
            if (config == null) {
                int count = found.mistakes().size();
                String words = count == 1 ? "1 mistake" : count + " mistakes";
                table.row(name, words, "-", "-", "-", found.file().toString());
                continue;
            }
            table.row(
                    name,
                    engine(config),
                    config.azure().computeTarget().orElse("-"),
                    Integer.toString(config.gpusPerNode()),
                    words(config.code()),
                    found.file().toString());
        }
        return table.text();
    }

    private static String engine(ClusterConfig config) {
        return config.target().map(Target::cluster).orElse(foreign(config));
    }

    private static String foreign(ClusterConfig config) {
        return config.origin() == ClusterConfig.Origin.PHILLY ? "(Philly)" : "(Azure ML)";
    }

    /** Where something is kept, in one word. */
    public static String words(Mapped mapped) {
        return mapped.store() + (mapped.path().isEmpty() ? "" : "/" + mapped.path());
    }

    private static String clusterTable(List<ClusterBody> clusters) {
        var table = new Table().row("CLUSTER", "RUNS BY", "IMAGES", "STATE");
        for (ClusterBody cluster : clusters) {
            table.row(
                    cluster.name(),
                    cluster.engine(),
                    cluster.images() == null ? "-" : cluster.images() ? "yes" : "no",
                    cluster.reachable() ? "reachable" : "unreachable: " + cluster.trouble());
        }
        return table.text();
    }

    private static String json(List<FoundConfig> configs, List<ClusterBody> clusters) {
        var json = new JsonText();
        json.beginList("configs");
        for (FoundConfig found : configs) {
            json.beginElement();
            json.text("name", found.name());
            json.text("file", found.file().toString());
            json.plain("usual", found.isUsual());
            found.config().ifPresent(config -> config(json, config));
            json.beginList("mistakes");
            found.mistakes().forEach(mistake -> json.element(mistake.toString()));
            json.endList();
            json.end();
        }
        json.endList();
        json.beginList("clusters");
        for (ClusterBody cluster : clusters) {
            json.beginElement();
            json.text("name", cluster.name());
            json.text("engine", cluster.engine());
            json.plain("reachable", cluster.reachable());
            if (cluster.trouble() != null) json.text("trouble", cluster.trouble());
            if (cluster.images() != null) json.plain("images", cluster.images());
            json.end();
        }
        json.endList();
        return json.done();
    }

    private static void config(JsonText json, ClusterConfig config) {
        config.target()
                .ifPresent(
                        target -> {
                            json.text("engine", target.cluster());
                            target.project().ifPresent(name -> json.text("project", name));
                        });
        if (config.target().isEmpty()) {
            boolean isPhilly = config.origin() == ClusterConfig.Origin.PHILLY;
            json.text("engine", isPhilly ? "philly" : "azureml");
        }
        config.azure().computeTarget().ifPresent(name -> json.text("computeTarget", name));
        json.plain("gpusPerNode", config.gpusPerNode());
        json.text("code", words(config.code()));
        json.begin("folders");
        config.folders().forEach((name, mapped) -> json.text(name, words(mapped)));
        json.end();
    }
}
