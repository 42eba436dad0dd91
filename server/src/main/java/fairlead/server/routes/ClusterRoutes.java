package fairlead.server.routes;

import fairlead.api.GpuBody;
import fairlead.api.NodeBody;
import fairlead.api.NodeList;
import fairlead.api.StatsBody;
import fairlead.cluster.Gpu;
import fairlead.cluster.NodeState;
import fairlead.control.Cluster;
import fairlead.control.Controller;
import fairlead.engine.Engine;
import fairlead.job.Job;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.server.http.Call;
import fairlead.server.snapshot.Snapshot;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What the clusters have, and who holds it. */
final class ClusterRoutes {
    private final Controller controller;
    private final Clusters clusters;
    private final Journal journal;
    private final Map<String, Engine> engines;
    private final String policy;

    ClusterRoutes(
            Controller controller,
            Clusters clusters,
            Journal journal,
            Map<String, Engine> engines,
            String policy) {
        this.policy = policy;
        this.clusters = clusters;
        this.controller = controller;
        this.journal = journal;
        this.engines = engines;
    }

    void nodes(Call call) {
        var nodes = new ArrayList<NodeBody>();
        Optional<String> asked = clusters.asked(call);
        Set<String> notes = new LinkedHashSet<>(clusters.troubles(asked));
        for (String cluster : asked.map(List::of).orElse(clusters.names())) {
            for (NodeState state : controller.view(cluster).nodes())
                nodes.add(node(cluster, state));
            notes.addAll(engines.get(cluster).terms().notes());
        }
        call.send(200, new NodeList(nodes, List.copyOf(notes)));
    }

    private static NodeBody node(String cluster, NodeState state) {
        var node = state.node();
        return new NodeBody(
                cluster,
                node.name(),
                node.ready(),
                node.gpus().size(),
                state.freeGpus().size(),
                node.gpus().stream().map(Gpu::type).distinct().toList(),
                node.cpus(),
                Math.max(0, state.freeCpus()),
                node.memoryBytes(),
                Math.max(0, state.freeMemoryBytes()),
                devices(state));
    }

    private static List<GpuBody> devices(NodeState state) {
        var devices = new ArrayList<GpuBody>();
        for (int i = 0; i < state.freeUnits().size(); i++) {
            Gpu gpu = state.node().gpus().get(i);
            long free = Math.max(0, state.freeUnits().get(i));
            devices.add(
                    new GpuBody(
                            gpu.index(),
                            gpu.type(),
                            gpu.memoryBytes() > 0 ? gpu.memoryBytes() : null,
                            (int) (free * 1_000 / gpu.units())));
        }
        return devices;
    }

    /** For bug reports: what the policy sees of one cluster, without anyone's command. */
    void snapshot(Call call) throws IOException, InterruptedException {
        call.onlyAdmin("take a snapshot");
        String name = clusters.asked(call).orElse(clusters.first());
        call.takeTurn();
        var snapshot = Snapshot.of(name, policy, controller.view(name));
        try (var out = call.stream("application/json")) {
            snapshot.write(out);
        }
    }

    void stats(Call call) throws JournalException {
        int gpus = 0;
        int free = 0;
        var byOwner = new TreeMap<String, Double>();
        for (Cluster cluster : controller.clusters()) {
            var view = controller.view(cluster.name());
            for (NodeState state : view.nodes()) {
                gpus += state.node().gpus().size();
                free += state.freeGpus().size();
            }
            for (Job job : view.active()) {
                if (job.spec().gpus() > 0)
                    byOwner.merge(job.owner(), job.spec().milliGpus() / 1000.0, Double::sum);
            }
        }
        Journal.Predicted predicted = journal.predicted();
        call.send(
                200,
                new StatsBody(
                        jobsByState(controller, journal),
                        gpus,
                        free,
                        byOwner,
                        predicted.well(),
                        predicted.badly(),
                        clusters.troubles(Optional.empty())));
    }

    /** All states in the order of a job's life, also those that no job is in. */
    static Map<String, Long> jobsByState(Controller controller, Journal journal)
            throws JournalException {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (String word : List.of("queued", "starting", "running", "stopping"))
            counts.put(word, 0L);
        for (Job job : controller.unfinished()) counts.merge(job.state().word(), 1L, Long::sum);
        Map<String, Long> finished = journal.finishedCounts();
        for (String word : List.of("succeeded", "failed", "cancelled"))
            counts.put(word, finished.getOrDefault(word, 0L));
        return counts;
    }
}
