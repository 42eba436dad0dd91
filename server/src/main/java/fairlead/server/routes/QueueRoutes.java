package fairlead.server.routes;

import fairlead.api.QueueBody;
import fairlead.api.QueueList;
import fairlead.cluster.Guest;
import fairlead.cluster.View;
import fairlead.control.Controller;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.TaskPlacement;
import fairlead.policy.fair.Turn;
import fairlead.server.http.Call;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Everyone's work on a cluster in the fair order, for commands, for a page and for its scripts. */
final class QueueRoutes {
    /** More lines than anyone reads; the page asks for them every 1.5 s. */
    private static final int SHOWN_MAX = 1_000;

    private final Controller controller;
    private final Clusters clusters;
    private final QueuePage page = QueuePage.load();

    /** By cluster, the last answer: it is good as long as the view is the same. */
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    private record Known(View view, List<QueueBody> shown, int more) {}

    QueueRoutes(Controller controller, Clusters clusters) {
        this.controller = controller;
        this.clusters = clusters;
    }

    void queue(Call call) {
        String cluster = cluster(call);
        Known queue = queue(cluster);
        call.send(
                200,
                new QueueList(
                        cluster,
                        queue.shown(),
                        queue.more(),
                        clusters.troubles(Optional.of(cluster))));
    }

    /** The same in the form of the page that a lab had before. */
    void state(Call call) {
        call.sendJson(200, PodStates.json(queue(cluster(call)).shown()));
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
        var shown = new ArrayList<QueueBody>();
        long milliGpus = 0;
        for (Turn turn : turns) {
            if (shown.size() == SHOWN_MAX) break;
            milliGpus += turn.work().milliGpus();
            shown.add(body(turn, milliGpus));
        }
        var fresh = new Known(view, List.copyOf(shown), turns.size() - shown.size());
        known.put(cluster, fresh);
        return fresh;
    }

    private static QueueBody body(Turn turn, long milliGpus) {
        return switch (turn.work()) {
            case Turn.Ours(Job job) ->
                    body(
                            turn,
                            milliGpus,
                            job.state().word(),
                            job.submitted(),
                            job.started().filter(_ -> turn.work().holds()),
                            nodes(job));
            case Turn.Theirs(Guest guest) ->
                    body(
                            turn,
                            milliGpus,
                            guest.status(),
                            guest.created(),
                            guest.started(),
                            guest.node().stream().toList());
        };
    }

    private static QueueBody body(
            Turn turn,
            long milliGpus,
            String status,
            Instant created,
            Optional<Instant> started,
            List<String> nodes) {
        return new QueueBody(
                turn.work().name(),
                turn.work() instanceof Turn.Theirs,
                turn.work().owner(),
                status,
                created.toString(),
                started.map(Instant::toString).orElse(null),
                turn.work().milliGpus() / 1e3,
                turn.work().priority(),
                turn.ordinal(),
                borrows(turn) ? true : null,
                milliGpus / 1e3,
                nodes);
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
