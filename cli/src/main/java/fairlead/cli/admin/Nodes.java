package fairlead.cli.admin;

import fairlead.api.client.Refused;
import fairlead.api.clusters.GpuBody;
import fairlead.api.clusters.NodeBody;
import fairlead.api.clusters.NodeList;
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
import fairlead.cli.terminal.Words;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** Shows the nodes of the clusters and what is free on them. */
public final class Nodes implements Verb {
    @Override
    public Usage usage() {
        return Usage.reads(
                List.of("nodes"),
                "",
                0,
                "show nodes and what is free on them",
                List.of(Option.CLUSTER),
                List.of(Example.of("fairlead nodes", "GPUs, CPUs and memory: free, and in all")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var answer = session.client().nodes(arguments.text(Option.CLUSTER).orElse(null));
        if (arguments.has(Option.JSON)) {
            session.json(answer);
            return ExitCode.OK;
        }
        NodeList list = answer.value();
        var table = new Table().row("NODE", "CLUSTER", "READY", "GPUS", "TYPE", "CPUS", "MEMORY");
        for (NodeBody node : list.nodes()) {
            List<String> types = node.gpuTypes() == null ? List.of() : node.gpuTypes();
            table.row(
                    node.name(),
                    node.cluster(),
                    node.ready() ? "yes" : "no",
                    node.gpusFree() + " of " + node.gpus() + parts(node),
                    types.isEmpty() ? "-" : types(node, types),
                    node.cpusFree() + " of " + node.cpus(),
                    Words.bytes(node.memoryFreeBytes()) + " of " + Words.bytes(node.memoryBytes()));
        }
        session.out().print(table.text());
        List<String> notes = list.notes() == null ? List.of() : list.notes();
        for (String note : notes) session.out().line("- " + note);
        return ExitCode.OK;
    }

    /** What is left of GPUs that are shared. */
    private static String parts(NodeBody node) {
        if (node.devices() == null) return "";
        var parts = new ArrayList<String>();
        for (GpuBody gpu : node.devices()) {
            int free = gpu.freeThousandths();
            if (free > 0 && free < 1_000) parts.add(Words.number(free / 1000.0));
        }
        return parts.isEmpty() ? "" : ", and parts of " + String.join(", ", parts);
    }

    /** Each type once, with its memory where that is known. */
    private static String types(NodeBody node, List<String> types) {
        var named = new LinkedHashSet<String>();
        for (GpuBody gpu : node.devices() == null ? List.<GpuBody>of() : node.devices()) {
            String memory = gpu.memoryBytes() == null ? "" : " " + Words.bytes(gpu.memoryBytes());
            named.add(gpu.type() + memory);
        }
        if (named.isEmpty()) named.addAll(types);
        return String.join(", ", named);
    }
}
