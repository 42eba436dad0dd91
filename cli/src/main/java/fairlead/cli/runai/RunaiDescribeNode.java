package fairlead.cli.runai;

import fairlead.api.JobBody;
import fairlead.api.client.JobFilter;
import fairlead.api.client.Refused;
import fairlead.api.clusters.GpuBody;
import fairlead.api.clusters.NodeBody;
import fairlead.api.words.Suggestion;
import fairlead.cli.job.JobPages;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;
import fairlead.dialects.runai.JobWords;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Shows a node: what it has, what is free of it, and the jobs that are on it. */
final class RunaiDescribeNode implements Verb {
    /** More are never on one node. */
    private static final int JOBS_MAX = 10_000;

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("runai describe node"),
                "NAME",
                1,
                "show a node and the jobs that are on it",
                List.of(),
                List.of(
                        new Example(
                                "fairlead runai describe node no-such-node",
                                "refused for a node that is not there; 'runai list nodes' shows"
                                        + " them",
                                Runai.REFUSED)));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        if (arguments.operands().isEmpty()) {
            throw new UsageException("which node? 'runai list nodes' shows them");
        }
        String name = arguments.operands().getFirst();
        List<NodeBody> nodes = session.client().nodes(null).value().nodes();
        for (NodeBody node : nodes) {
            if (!node.name().equals(name)) continue;
            session.out().print(summary(node));
            session.out().print("\nGPUs:\n" + gpus(node));
            session.out().print("\nJobs:\n" + jobs(node, session));
            return ExitCode.OK;
        }
        List<String> known = nodes.stream().map(NodeBody::name).toList();
        throw new Failure(
                Runai.REFUSED,
                "the node '" + name + "' does not exist." + Suggestion.of(name, known));
    }

    private static String summary(NodeBody node) {
        return new Table()
                .row("NAME:", node.name())
                .row("CLUSTER:", node.cluster())
                .row("STATUS:", node.ready() ? "Ready" : "NotReady")
                .row("GPUS:", String.valueOf(node.gpus()))
                .row("FREE GPUS:", String.valueOf(node.gpusFree()))
                .row("CPUS:", String.valueOf(node.cpus()))
                .row("FREE CPUS:", String.valueOf(node.cpusFree()))
                .row("MEMORY:", Words.bytes(node.memoryBytes()))
                .row("FREE MEMORY:", Words.bytes(node.memoryFreeBytes()))
                .text();
    }

    private static String gpus(NodeBody node) {
        var table = new Table().row("INDEX", "TYPE", "MEMORY", "FREE");
        List<GpuBody> devices = node.devices() == null ? List.of() : node.devices();
        for (GpuBody gpu : devices) {
            table.row(
                    String.valueOf(gpu.index()),
                    gpu.type(),
                    gpu.memoryBytes() == null ? JobWords.NOTHING : Words.bytes(gpu.memoryBytes()),
                    Words.number(gpu.freeThousandths() / 1_000.0));
        }
        return table.text();
    }

    private static String jobs(NodeBody node, Session session)
            throws UsageException, Failure, Refused, IOException {
        var active = new ArrayList<JobBody>();
        JobPages.pages(session.client(), JobFilter.ALL.state("active"), JOBS_MAX, active);
        active.removeIf(job -> job.nodes() == null || !job.nodes().contains(node.name()));
        return RunaiTop.table(active, session.now());
    }
}
