package fairlead.cli.act.verb;

import fairlead.api.JobBody;
import fairlead.api.client.JobFilter;
import fairlead.api.client.Refused;
import fairlead.api.clusters.NodeBody;
import fairlead.cli.act.Configs;
import fairlead.cli.act.Targets;
import fairlead.cli.job.JobPages;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.act.log.PythonText;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counts the nodes, GPUs and jobs of a cluster, by ACT's names. */
public final class Summary implements Verb {
    /** More are never unfinished on one server. */
    private static final int JOBS_MAX = 1_000_000;

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("summary", "s"),
                "",
                0,
                "count the nodes, GPUs and jobs of a cluster",
                List.of(Option.CLUSTER),
                List.of(Example.of("fairlead s", "of the config's cluster, or of all")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var config = Configs.asked(arguments, session);
        String cluster = Configs.cluster(arguments, config);
        try {
            session.out().line(PythonText.of(counts(cluster, session)));
        } catch (Refused e) {
            throw Targets.explained(e, config, session);
        }
        return ExitCode.OK;
    }

    /**
     * @param cluster null for all
     */
    private static Map<String, Object> counts(String cluster, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<NodeBody> nodes = session.client().nodes(cluster).value().nodes();
        var active = new ArrayList<JobBody>();
        var notes = new LinkedHashSet<String>();
        var filter = new JobFilter("active", null, null, cluster, null, null);
        JobPages.pages(session.client(), filter, JOBS_MAX, active, notes);
        notes.forEach(session::say);
        Set<String> preparing = nodesOf(active, "starting");
        Set<String> running = nodesOf(active, "running", "stopping");
        preparing.removeAll(running);
        var counts = new TreeMap<String, Object>();
        counts.put("max_node_count", nodes.size());
        counts.put("unusable_node_count", nodes.stream().filter(node -> !node.ready()).count());
        counts.put("running_node_count", running.size());
        counts.put("preparing_node_count", preparing.size());
        counts.put("total_gpu", nodes.stream().mapToInt(NodeBody::gpus).sum());
        // What is really free: nodes are shared here, and not each job's alone as in Azure ML.
        counts.put(
                "total_free_gpu",
                nodes.stream().filter(NodeBody::ready).mapToInt(NodeBody::gpusFree).sum());
        counts.put("num_running_job", count(active, "running") + count(active, "stopping"));
        counts.put("num_queued_jobs", count(active, "queued") + count(active, "starting"));
        return counts;
    }

    private static Set<String> nodesOf(List<JobBody> jobs, String... states) {
        var nodes = new HashSet<String>();
        for (JobBody job : jobs) {
            boolean isMeant = List.of(states).contains(job.state()) && job.nodes() != null;
            if (isMeant) nodes.addAll(job.nodes());
        }
        return nodes;
    }

    private static long count(List<JobBody> jobs, String state) {
        return jobs.stream().filter(job -> job.state().equals(state)).count();
    }
}
