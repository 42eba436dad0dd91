package fairlead.cli.runai;

import fairlead.api.client.Refused;
import fairlead.api.clusters.ClusterBody;
import fairlead.api.clusters.NodeBody;
import fairlead.cli.job.ClusterKind;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;

/** Shows the clusters of the server, and what is free on them. */
final class RunaiListClusters implements Verb {
    private static final Sum NOTHING = new Sum(0, 0, 0);

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("runai list clusters", "runai list cluster"),
                "",
                0,
                "show the clusters of the server; 'runai config cluster NAME' chooses one",
                List.of(),
                List.of(Example.of("fairlead runai list clusters", "with their free GPUs")));
    }

    /** What the nodes of a cluster have together. */
    private record Sum(int nodes, int gpus, int free) {
        Sum and(Sum other) {
            return new Sum(nodes + other.nodes, gpus + other.gpus, free + other.free);
        }
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var sums = new HashMap<String, Sum>();
        for (NodeBody node : session.client().nodes(null).value().nodes()) {
            sums.merge(node.cluster(), new Sum(1, node.gpus(), node.gpusFree()), Sum::and);
        }
        var table = new Table().row("CLUSTER", "ENGINE", "REACHABLE", "NODES", "GPUs", "FREE GPUs");
        for (ClusterBody cluster : new ClusterKind(session).all()) {
            Sum sum = sums.getOrDefault(cluster.name(), NOTHING);
            table.row(
                    cluster.name(),
                    cluster.engine(),
                    cluster.reachable() ? "yes" : "no: " + cluster.trouble(),
                    String.valueOf(sum.nodes()),
                    String.valueOf(sum.gpus()),
                    String.valueOf(sum.free()));
        }
        session.out().print(table.text());
        return ExitCode.OK;
    }
}
