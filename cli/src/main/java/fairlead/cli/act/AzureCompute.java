package fairlead.cli.act;

import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.client.Refused;
import fairlead.api.clusters.ClusterRequest;
import fairlead.cli.job.ClusterKind;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.config.AzureMl;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.Mapped;
import fairlead.dialects.act.config.Store;
import fairlead.dialects.act.config.Target;
import fairlead.dialects.yaml.Spot;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The compute of Azure ML that a config file names, as a cluster of the server: the server makes it
 * where it has none, and everything else is then as on any cluster.
 */
public final class AzureCompute {
    private static final String ENGINE = "azureml";

    private AzureCompute() {}

    /** The config with a cluster of the server in it; one that has it already is as it was. */
    public static ClusterConfig placed(ClusterConfig config, Session session)
            throws UsageException, Failure, Refused, IOException {
        boolean isAzure = config.target().isEmpty() && config.origin() == ClusterConfig.Origin.ACT;
        if (!isAzure) return config;
        refuseOthers(config);
        AzureMl azure = config.azure();
        AzureMl.Workspace workspace = azure.workspace().orElseThrow();
        var settings = new LinkedHashMap<String, String>();
        settings.put("subscription", workspace.subscription());
        settings.put("resource-group", workspace.resourceGroup());
        settings.put("workspace", workspace.name());
        settings.put("compute", azure.computeTarget().orElseThrow());
        if (azure.cliLogin()) settings.put("credential", "cli");
        String name =
                session.client()
                        .cluster(new ClusterRequest(config.name(), ENGINE, settings))
                        .value()
                        .name();
        return config.at(new Target(name, Optional.empty(), new Spot(config.file(), 1)));
    }

    /**
     * Where Azure's own pages show a job, in the public cloud. Empty for one that is not there, or
     * whose config file is not here.
     */
    public static Optional<String> studio(JobDetail detail, Session session)
            throws UsageException, Failure, Refused, IOException {
        JobBody job = detail.job();
        Optional<String> name = ActOrigin.of(detail).map(ActJob::config);
        if (name.isEmpty() || job.attempts() == 0) return Optional.empty();
        Optional<AzureMl.Workspace> workspace;
        try {
            workspace = Configs.named(name.get(), session).flatMap(it -> it.azure().workspace());
        } catch (Failure _) {
            // A mistake in the file is no reason to hide what the server knows of the job.
            return Optional.empty();
        }
        boolean isThere =
                workspace.isPresent()
                        && new ClusterKind(session)
                                .all().stream()
                                        .filter(each -> each.name().equals(job.cluster()))
                                        .anyMatch(each -> each.engine().equals(ENGINE));
        if (!isThere) return Optional.empty();
        return workspace.map(
                at ->
                        "https://ml.azure.com/runs/%s-%d?wsid=/subscriptions/%s/resourcegroups/%s/workspaces/%s"
                                .formatted(
                                        job.id(),
                                        job.attempts(),
                                        at.subscription(),
                                        at.resourceGroup(),
                                        at.name()));
    }

    private static void refuseOthers(ClusterConfig config) throws Failure {
        String platform = config.azure().platform();
        if (!platform.equals("aml"))
            throw refusal(
                    config,
                    "has 'platform: "
                            + platform
                            + "', and jobs are sent to compute clusters (aml) alone yet");
        for (Map.Entry<String, Mapped> folder : config.folders().entrySet()) {
            if (folder.getValue().store() instanceof Store.Folder)
                throw refusal(config, "has a folder that Azure ML cannot see: " + folder.getKey());
        }
        if (config.code().store() instanceof Store.Folder)
            throw refusal(config, "has its code in a folder, which Azure ML cannot see");
    }

    private static Failure refusal(ClusterConfig config, String words) {
        return new Failure(ExitCode.USAGE, config.file() + " " + words);
    }
}
