package fairlead.server.routes;

import fairlead.api.QueueBody;
import fairlead.api.QueueJob;
import fairlead.api.QueueList;
import fairlead.api.QueueTotals;
import fairlead.cluster.Gpu;
import fairlead.cluster.Guest;
import fairlead.cluster.NodeState;
import fairlead.cluster.View;
import fairlead.control.Controller;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.TaskPlacement;
import fairlead.policy.Explanation;
import fairlead.policy.fair.Turn;
import fairlead.policy.forecast.Forecast;
import fairlead.server.http.Call;
import fairlead.server.runtime.Explanations;
import fairlead.server.runtime.GpuUseHistory;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Everyone's work on a cluster in the fair order, for commands, for a page and for its scripts. */
final class QueueRoutes {
    /** More lines than anyone reads at once; whoever does asks for the next ones. */
    private static final int SHOWN_MAX = 1_000;

    private static final double THOUSANDTHS = 1e3;

    private final Controller controller;
    private final Clusters clusters;
    private final Explanations explanations;
    private final WhyRoute why;
    private final GpuUseHistory gpuUse;
    private final QueuePage page = QueuePage.load();

    /** By cluster, the last order: it is good as long as the view is the same. */
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /**
     * @param milliGpus of all work down to each one, it included
     */
    private record Known(View view, List<Turn> turns, long[] milliGpus, QueueTotals totals) {}

    QueueRoutes(
            Controller controller,
            Clusters clusters,
            Explanations explanations,
            WhyRoute why,
            GpuUseHistory gpuUse) {
        this.gpuUse = gpuUse;
        this.controller = controller;
        this.clusters = clusters;
        this.explanations = explanations;
        this.why = why;
    }

    void queue(Call call) {
        String cluster = cluster(call);
        Known queue = queue(cluster);
        int from = (int) call.number("offset", 0, Integer.MAX_VALUE).orElse(0);
        int limit = (int) call.number("limit", 1, SHOWN_MAX).orElse(SHOWN_MAX);
        List<QueueBody> shown = shown(queue, from, limit);
        call.send(
                200,
                new QueueList(
                        cluster,
                        shown,
                        Math.max(0, queue.turns().size() - from - shown.size()),
                        clusters.troubles(Optional.of(cluster)),
                        queue.totals()));
    }

    /** The same in the form of the page that a lab had before. */
    void state(Call call) {
        String cluster = cluster(call);
        Known queue = queue(cluster);
        call.sendJson(200, PodStates.json(shown(queue, 0, SHOWN_MAX), uses(cluster, queue.view())));
    }

    /** Means over the GPUs of each job, where those can be looked at. */
    private Map<String, PodStates.Used> uses(String cluster, View view) {
        var uses = new HashMap<String, PodStates.Used>();
        var memory = new HashMap<String, Long>();
        for (NodeState state : view.nodes())
            for (Gpu gpu : state.node().gpus())
                memory.put(state.node().name() + "/" + gpu.index(), gpu.memoryBytes());
        for (Job job : view.active()) {
            var compute = new ArrayList<Integer>();
            var filled = new ArrayList<Double>();
            Optional<Instant> at = Optional.empty();
            Placement placement = ((JobState.Active) job.state()).attempt().placement();
            for (TaskPlacement task : placement.tasks()) {
                for (int gpu : task.gpus()) {
                    var last = gpuUse.last(cluster, task.node(), gpu);
                    if (last.isEmpty()) continue;
                    at = Optional.of(last.get().at());
                    last.get().use().percent().ifPresent(compute::add);
                    long whole = memory.getOrDefault(task.node() + "/" + gpu, 0L);
                    last.get()
                            .use()
                            .memoryBytes()
                            .ifPresent(
                                    bytes -> {
                                        if (whole > 0) filled.add(100.0 * bytes / whole);
                                    });
                }
            }
            at.ifPresent(
                    when ->
                            uses.put(
                                    job.id().text(),
                                    new PodStates.Used(mean(filled), mean(compute), when)));
        }
        return uses;
    }

    private static Double mean(List<? extends Number> values) {
        return values.isEmpty()
                ? null
                : values.stream().mapToDouble(Number::doubleValue).average().orElseThrow();
    }

    void page(Call call) {
        clusters.asked(call);
        page.send(call);
    }

    private String cluster(Call call) {
        return clusters.asked(call).orElse(clusters.first());
    }

    private Known queue(String cluster) {
        View view = controller.view(cluster);
        Known last = known.get(cluster);
        if (last != null && last.view() == view) return last;
        List<Turn> turns = Turn.all(view);
        var sums = new long[turns.size()];
        long milliGpus = 0;
        for (int i = 0; i < sums.length; i++) {
            milliGpus += turns.get(i).work().milliGpus();
            sums[i] = milliGpus;
        }
        var fresh = new Known(view, turns, sums, totals(view, turns));
        known.put(cluster, fresh);
        return fresh;
    }

    private static QueueTotals totals(View view, List<Turn> turns) {
        int gpus = view.nodes().stream().mapToInt(state -> state.node().gpus().size()).sum();
        int waiting = 0;
        long held = 0;
        var byProject = new HashMap<String, Long>();
        for (Turn turn : turns) {
            if (!turn.work().holds()) {
                waiting++;
                continue;
            }
            held += turn.work().milliGpus();
            if (turn.work() instanceof Turn.Ours(Job job))
                byProject.merge(job.spec().project(), turn.work().milliGpus(), Long::sum);
        }
        return new QueueTotals(
                gpus,
                held / THOUSANDTHS,
                lent(view, gpus, byProject) / THOUSANDTHS,
                turns.size() - waiting,
                waiting);
    }

    /** What projects hold of the quotas of others: above their own, and more than is nobody's. */
    private static long lent(View view, int gpus, Map<String, Long> held) {
        if (!view.rules().hasQuotas()) return 0;
        long above = 0;
        for (var entry : held.entrySet())
            above += Math.max(0, entry.getValue() - view.rules().quota(entry.getKey()));
        long promised = 0;
        for (String project : view.rules().projects().keySet())
            promised += view.rules().quota(project);
        return Math.max(0, above - Math.max(0, gpus * (long) THOUSANDTHS - promised));
    }

    private List<QueueBody> shown(Known queue, int from, int limit) {
        int to = (int) Math.min(queue.turns().size(), (long) from + limit);
        var shown = new ArrayList<QueueBody>();
        for (int i = from; i < to; i++) shown.add(body(queue.turns().get(i), queue.milliGpus()[i]));
        return shown;
    }

    private QueueBody body(Turn turn, long milliGpus) {
        return switch (turn.work()) {
            case Turn.Ours(Job job) -> body(turn, milliGpus, job);
            case Turn.Theirs(Guest guest) ->
                    new QueueBody(
                            guest.name(),
                            true,
                            guest.owner(),
                            guest.status(),
                            guest.created().toString(),
                            guest.started().map(Instant::toString).orElse(null),
                            turn.work().milliGpus() / THOUSANDTHS,
                            guest.priority(),
                            turn.ordinal(),
                            null,
                            milliGpus / THOUSANDTHS,
                            guest.node().stream().toList(),
                            null);
        };
    }

    private QueueBody body(Turn turn, long milliGpus, Job job) {
        return new QueueBody(
                job.id().text(),
                false,
                job.owner(),
                job.state().word(),
                job.submitted().toString(),
                job.started().filter(_ -> turn.work().holds()).map(Instant::toString).orElse(null),
                turn.work().milliGpus() / THOUSANDTHS,
                job.priority(),
                turn.ordinal(),
                borrows(turn) ? true : null,
                milliGpus / THOUSANDTHS,
                nodes(job),
                more(job));
    }

    private QueueJob more(Job job) {
        Optional<Explanation> explanation = explanations.of(job);
        Optional<Forecast.Band> start = explanations.lastBand(job, explanation);
        List<String> obstacles = why.obstacles(job, explanation);
        return new QueueJob(
                job.spec().name(),
                job.spec().project(),
                obstacles.isEmpty() ? null : obstacles.getFirst(),
                start.map(band -> band.expected().toString()).orElse(null),
                start.map(band -> band.earliest().toString()).orElse(null),
                start.map(band -> band.latest().toString()).orElse(null));
    }

    /** An interactive job waits for its quota, and never for what others leave idle. */
    private static boolean borrows(Turn turn) {
        boolean isInteractive =
                turn.work() instanceof Turn.Ours(Job job) && job.spec().interactive();
        return turn.borrows() && !isInteractive;
    }

    private static List<String> nodes(Job job) {
        return job.state() instanceof JobState.Active active
                ? active.attempt().placement().tasks().stream()
                        .map(TaskPlacement::node)
                        .distinct()
                        .toList()
                : List.of();
    }
}
