package fairlead.server.runtime;

import fairlead.cluster.View;
import fairlead.control.Cluster;
import fairlead.control.Controller;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.policy.Explanation;
import fairlead.policy.Forecast;
import fairlead.policy.Obstacle;
import fairlead.policy.Policy;
import fairlead.server.wire.Bodies;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Why waiting jobs wait and when they may start, worked out once for each published view and only
 * when somebody asks. Any thread.
 */
public final class Explanations {
    /** A forecast costs more than an explanation and changes slowly, so it may be so old. */
    private static final Duration FORECAST_AGE_MAX = Duration.ofSeconds(1);

    /** Where nothing changes, time alone moves the expected ends. */
    private static final Duration UNCHANGED_AGE_MAX = Duration.ofSeconds(10);

    private final Controller controller;
    private final Map<String, Shelf> shelves = new HashMap<>();

    /** The last explanation of one cluster. */
    private static final class Shelf {
        final Policy policy;
        final Supplier<Instant> clock;
        View view;
        List<Explanation> queue = List.of();
        Map<JobId, Explanation> made = Map.of();
        View foreseen;
        long foreseenNanos;
        Map<JobId, Forecast.Band> starts = Map.of();

        /** Whom the last forecast has looked at; not all of them have a start. */
        Map<JobId, Explanation> judged = Map.of();

        Shelf(Policy policy, Supplier<Instant> clock) {
            this.policy = policy;
            this.clock = clock;
        }

        /** One at a time: those who come meanwhile want the same answer. */
        synchronized Map<JobId, Explanation> of(View wanted) {
            if (view != wanted) {
                queue = policy.explain(wanted);
                var fresh = new HashMap<JobId, Explanation>();
                for (Explanation each : queue) fresh.put(each.job(), each);
                made = fresh;
                view = wanted;
            }
            return made;
        }

        synchronized List<Explanation> queue(View wanted) {
            of(wanted);
            return queue;
        }

        /** A job that has just come has one at once; the others may be a little old. */
        synchronized Optional<Forecast.Band> start(View wanted, JobId job) {
            boolean isMissing = foreseen != wanted && !judged.containsKey(job);
            if (isMissing || isOld(wanted)) foresee(wanted);
            return Optional.ofNullable(starts.get(job));
        }

        synchronized Map<JobId, Forecast.Band> starts(View wanted) {
            if (isOld(wanted)) foresee(wanted);
            return starts;
        }

        private boolean isOld(View wanted) {
            Duration most = foreseen == wanted ? UNCHANGED_AGE_MAX : FORECAST_AGE_MAX;
            return foreseen == null || System.nanoTime() - foreseenNanos > most.toNanos();
        }

        private void foresee(View wanted) {
            starts = Forecast.starts(wanted.at(clock.get()), queue(wanted));
            judged = made;
            foreseen = wanted;
            foreseenNanos = System.nanoTime();
        }
    }

    public Explanations(Controller controller, Supplier<Instant> clock) {
        this.controller = controller;
        for (Cluster cluster : controller.clusters())
            shelves.put(cluster.name(), new Shelf(cluster.policy(), clock));
    }

    /** Empty when the job does not wait, or has begun to after the last published view. */
    public Optional<Explanation> of(Job job) {
        if (!(job.state() instanceof JobState.Queued)) return Optional.empty();
        String cluster = job.spec().cluster();
        Optional<Explanation> known =
                Optional.ofNullable(
                        shelves.get(cluster).of(controller.view(cluster)).get(job.id()));
        // Whatever else is in its way, nothing moves until the cluster is seen again.
        Optional<Obstacle.Unreachable> unreachable = controller.unreachable(cluster);
        return unreachable.isEmpty()
                ? known
                : known.map(
                        place ->
                                new Explanation(
                                        place.job(), place.place(), List.of(unreachable.get())));
    }

    /** Its place and when it may start; empty in the same cases. */
    public Optional<Bodies.Standing> standing(Job job) {
        String cluster = job.spec().cluster();
        boolean isSeen = controller.unreachable(cluster).isEmpty();
        return of(job).map(
                        explanation ->
                                new Bodies.Standing(
                                        explanation.place(),
                                        isSeen
                                                ? shelves.get(cluster)
                                                        .start(controller.view(cluster), job.id())
                                                : Optional.empty()));
    }

    /** All that wait on the job's cluster, in the order of the queue. */
    public List<Explanation> queue(Job job) {
        String cluster = job.spec().cluster();
        return shelves.get(cluster).queue(controller.view(cluster));
    }

    /** When those that wait on a cluster may start; of some nobody can say it. */
    Map<JobId, Forecast.Band> starts(String cluster) {
        if (controller.unreachable(cluster).isPresent()) return Map.of();
        return shelves.get(cluster).starts(controller.view(cluster));
    }
}
