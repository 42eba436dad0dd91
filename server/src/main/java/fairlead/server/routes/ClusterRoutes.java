package fairlead.server.routes;

import fairlead.api.StatsBody;
import fairlead.api.clusters.ClusterRequest;
import fairlead.api.clusters.GpuBody;
import fairlead.api.clusters.HoldBody;
import fairlead.api.clusters.NodeBody;
import fairlead.api.clusters.NodeList;
import fairlead.api.clusters.TimelineBody;
import fairlead.cluster.Gpu;
import fairlead.cluster.NodeState;
import fairlead.cluster.View;
import fairlead.control.Cluster;
import fairlead.control.Controller;
import fairlead.control.Refused;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Share;
import fairlead.job.TaskPlacement;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.server.history.Timeline;
import fairlead.server.history.UseReport;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;
import fairlead.server.runtime.Explanations;
import fairlead.server.snapshot.Snapshot;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What the clusters have, and who holds it. */
final class ClusterRoutes {
    private static final Duration REPORT_SPAN = Duration.ofDays(7);
    private static final Duration TIMELINE_SPAN = Duration.ofHours(6);

    private final Controller controller;
    private final Clusters clusters;
    private final Journal journal;
    private final Map<String, Engine> engines;
    private final Explanations explanations;
    private final Parts.AddCluster add;
    private final String policy;

    ClusterRoutes(
            Controller controller,
            Clusters clusters,
            Journal journal,
            Map<String, Engine> engines,
            Explanations explanations,
            Parts.AddCluster add,
            String policy) {
        this.add = add;
        this.explanations = explanations;
        this.policy = policy;
        this.clusters = clusters;
        this.controller = controller;
        this.journal = journal;
        this.engines = engines;
    }

    /** A cluster that is made here runs jobs with the server's own rights elsewhere. */
    void add(Call call)
            throws EngineException, JournalException, Refused, InterruptedException, IOException {
        ClusterRequest request = call.body(ClusterRequest.class);
        String name = add.add(request, call.caller().isAdmin());
        call.send(
                200,
                clusters.bodies().stream()
                        .filter(body -> body.name().equals(name))
                        .findFirst()
                        .orElseThrow());
    }

    void nodes(Call call) {
        var nodes = new ArrayList<NodeBody>();
        Optional<String> asked = clusters.asked(call);
        Set<String> notes = new LinkedHashSet<>(clusters.troubles(asked));
        for (String cluster : asked.map(List::of).orElse(clusters.names())) {
            View view = controller.view(cluster);
            Map<String, List<Held>> held = held(view);
            for (NodeState state : view.nodes())
                nodes.add(node(cluster, state, held.getOrDefault(state.node().name(), List.of())));
            notes.addAll(engines.get(cluster).terms().notes());
        }
        call.send(200, new NodeList(nodes, List.copyOf(notes)));
    }

    /** A task's part of one GPU of a node. */
    private record Held(Job job, String task, Share share) {}

    private static Map<String, List<Held>> held(View view) {
        var byNode = new HashMap<String, List<Held>>();
        for (Job job : view.active()) {
            Placement placement = ((JobState.Active) job.state()).attempt().placement();
            for (TaskPlacement task : placement.tasks())
                for (Share share : task.shares())
                    byNode.computeIfAbsent(task.node(), _ -> new ArrayList<>())
                            .add(new Held(job, task.task().toString(), share));
        }
        return byNode;
    }

    private static NodeBody node(String cluster, NodeState state, List<Held> held) {
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
                devices(state, held));
    }

    private static List<GpuBody> devices(NodeState state, List<Held> held) {
        var devices = new ArrayList<GpuBody>();
        for (int i = 0; i < state.freeUnits().size(); i++) {
            Gpu gpu = state.node().gpus().get(i);
            long free = Math.max(0, state.freeUnits().get(i));
            devices.add(
                    new GpuBody(
                            gpu.index(),
                            gpu.type(),
                            gpu.memoryBytes() > 0 ? gpu.memoryBytes() : null,
                            (int) (free * 1_000 / gpu.units()),
                            held.stream()
                                    .filter(each -> each.share().gpu() == gpu.index())
                                    .map(each -> hold(each, gpu))
                                    .toList()));
        }
        return devices;
    }

    private static HoldBody hold(Held held, Gpu gpu) {
        long units = held.share().isWhole() ? gpu.units() : held.share().units();
        return new HoldBody(
                held.job().id().text(),
                held.job().owner(),
                held.task(),
                (int) Math.min(1_000, units * 1_000 / gpu.units()));
    }

    /** Who had, has and will have the GPUs of one cluster. */
    void timeline(Call call) throws JournalException, InterruptedException {
        String name = clusters.asked(call).orElse(clusters.first());
        Instant now = Instant.now();
        Instant from = moment(call, "from").orElse(now.minus(TIMELINE_SPAN));
        if (!from.isBefore(now)) throw Problem.invalid("from", "from: must be before now");
        call.takeTurn();
        var timeline =
                Timeline.of(
                        name,
                        from,
                        controller.unfinished(),
                        journal,
                        explanations.lastForecast(name));
        call.send(
                200,
                new TimelineBody(
                        name, from.toString(), now.toString(), timeline.runs(), timeline.notes()));
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

    /** Who has used GPUs since then; a span of a month is as long as jobs are kept. */
    void report(Call call) throws JournalException, InterruptedException {
        Instant to = moment(call, "to").orElse(Instant.now());
        Instant from = moment(call, "from").orElse(to.minus(REPORT_SPAN));
        if (!from.isBefore(to)) throw Problem.invalid("from", "from: must be before to");
        int gpus = 0;
        for (Cluster cluster : controller.clusters()) {
            for (NodeState state : controller.view(cluster.name()).nodes())
                gpus += state.node().gpus().size();
        }
        call.takeTurn();
        call.send(
                200,
                UseReport.of(journal, controller.unfinished(), controller.rules(), gpus, from, to));
    }

    private static Optional<Instant> moment(Call call, String name) {
        Optional<String> text = call.parameter(name);
        try {
            return text.map(Instant::parse);
        } catch (DateTimeParseException _) {
            throw Problem.invalid(
                    name,
                    "%s: must be a time such as 2026-01-31T12:00:00Z, but is '%.40s'"
                            .formatted(name, text.get()));
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
