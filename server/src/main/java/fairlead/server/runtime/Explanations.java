package fairlead.server.runtime;

import fairlead.cluster.View;
import fairlead.control.Cluster;
import fairlead.control.Controller;
import fairlead.control.Predictions;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.policy.Explanation;
import fairlead.policy.Obstacle;
import fairlead.policy.Policy;
import fairlead.policy.forecast.Calibration;
import fairlead.policy.forecast.Forecast;
import fairlead.policy.forecast.Holder;
import fairlead.server.bodies.Bodies;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Why waiting jobs wait and when they may start, worked out once for each published view and only
 * when somebody asks. Any thread.
 */
public final class Explanations {
    /** A forecast costs more than an explanation and changes slowly, so it may be so old. */
    private static final Duration FORECAST_AGE_MAX = Duration.ofSeconds(1);

    /** One that took long is kept longer: forecasts take a tenth of one core at most. */
    private static final int COST_TO_AGE = 10;

    /** Where nothing changes, time alone moves the expected ends. */
    private static final Duration UNCHANGED_AGE_MAX = Duration.ofSeconds(10);

    private final Controller controller;
    private final Predictions predictions;
    private final Supplier<Instant> clock;
    private final Map<String, Shelf> shelves = new ConcurrentHashMap<>();

    /** The last explanation of one cluster. */
    private static final class Shelf {
        final Policy policy;
        final Supplier<Instant> clock;
        View view;
        List<Explanation> queue = List.of();
        Map<JobId, Explanation> made = Map.of();

        /** One forecast at a time; those who come meanwhile may have the last one. */
        final ReentrantLock foreseeing = new ReentrantLock();

        final AtomicBoolean renewing = new AtomicBoolean();
        volatile Foreseen foreseen;

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
        Forecast forecast(View wanted, Optional<JobId> job) {
            Foreseen last = foreseen;
            boolean isMissing =
                    last == null || job.filter(id -> !last.knows(id, wanted)).isPresent();
            if (!isMissing && (!last.isOld(wanted) || !foreseeing.tryLock())) return last.forecast;
            if (isMissing) foreseeing.lock();
            try {
                boolean isMadeMeanwhile = foreseen != last && foreseen.view == wanted;
                if (!isMadeMeanwhile) foreseen = foresee(wanted);
                return foreseen.forecast;
            } finally {
                foreseeing.unlock();
            }
        }

        /** Never waits: a new one is made meanwhile, where the last is old. */
        Optional<Forecast> last(View wanted) {
            Foreseen last = foreseen;
            boolean isOld = last == null || last.isOld(wanted);
            if (isOld && renewing.compareAndSet(false, true)) {
                Thread.ofPlatform()
                        .daemon()
                        .name("forecast")
                        .start(
                                () -> {
                                    try {
                                        forecast(wanted, Optional.empty());
                                    } finally {
                                        renewing.set(false);
                                    }
                                });
            }
            return Optional.ofNullable(last).map(Foreseen::forecast);
        }

        private Foreseen foresee(View wanted) {
            long begun = System.nanoTime();
            var forecast = Forecast.of(wanted.at(clock.get()), policy, queue(wanted));
            return new Foreseen(wanted, forecast, System.nanoTime(), System.nanoTime() - begun);
        }
    }

    /** The last forecast of one cluster, and what it took. */
    private record Foreseen(View view, Forecast forecast, long madeNanos, long costNanos) {
        boolean knows(JobId job, View wanted) {
            return view == wanted || forecast.hasJudged(job);
        }

        boolean isOld(View wanted) {
            Duration most = view == wanted ? UNCHANGED_AGE_MAX : FORECAST_AGE_MAX;
            return System.nanoTime() - madeNanos
                    > Math.max(most.toNanos(), costNanos * COST_TO_AGE);
        }
    }

    public Explanations(Controller controller, Predictions predictions, Supplier<Instant> clock) {
        this.controller = controller;
        this.predictions = predictions;
        this.clock = clock;
    }

    /** More clusters may come. */
    private Shelf shelf(String name) {
        return shelves.computeIfAbsent(
                name,
                _ -> {
                    for (Cluster cluster : controller.clusters())
                        if (cluster.name().equals(name)) return new Shelf(cluster.policy(), clock);
                    throw new IllegalArgumentException("no cluster " + name);
                });
    }

    /** Empty when the job does not wait, or has begun to after the last published view. */
    public Optional<Explanation> of(Job job) {
        if (!(job.state() instanceof JobState.Queued)) return Optional.empty();
        String cluster = job.spec().cluster();
        Optional<Explanation> known =
                Optional.ofNullable(shelf(cluster).of(controller.view(cluster)).get(job.id()));
        // Whatever else is in its way, nothing moves until the cluster is seen again.
        Optional<Obstacle.Unreachable> unreachable = controller.unreachable(cluster);
        return unreachable.isEmpty()
                ? known
                : known.map(
                        place ->
                                new Explanation(
                                        place.job(), place.place(), List.of(unreachable.get())));
    }

    /** Its place and when it may start; empty in the same cases, and for one that never can. */
    public Optional<Bodies.Standing> standing(Job job) {
        String cluster = job.spec().cluster();
        return of(job).filter(each -> !each.isForGood())
                .map(
                        explanation ->
                                new Bodies.Standing(
                                        explanation.place(),
                                        forecast(job)
                                                .flatMap(
                                                        forecast ->
                                                                forecast.band(
                                                                        job.id(),
                                                                        predictions.calibration(
                                                                                cluster)))));
    }

    /** When it may start, as was last worked out: for long lists, which cannot wait. */
    public Optional<Forecast.Band> lastBand(Job job, Optional<Explanation> explanation) {
        String cluster = job.spec().cluster();
        if (explanation.isEmpty() || explanation.get().isForGood()) return Optional.empty();
        if (controller.unreachable(cluster).isPresent()) return Optional.empty();
        return shelf(cluster)
                .last(controller.view(cluster))
                .flatMap(it -> it.band(job.id(), predictions.calibration(cluster)));
    }

    /** Of all that wait on a cluster, as was last worked out. */
    public Optional<Forecast> lastForecast(String cluster) {
        if (controller.unreachable(cluster).isPresent()) return Optional.empty();
        return shelf(cluster).last(controller.view(cluster));
    }

    /** How wide the bands of a cluster are. */
    public Calibration calibration(String cluster) {
        return predictions.calibration(cluster);
    }

    /** Who stands in the way of a waiting job now, who gives first before the others. */
    public List<Holder> holders(Job job) {
        return forecast(job).map(forecast -> forecast.holders(job.id())).orElse(List.of());
    }

    /** Who stands behind a waiting job and is expected to start before it, if anyone is. */
    public Optional<Job> passedBy(Job job) {
        return forecast(job).flatMap(forecast -> forecast.passedBy(job.id()));
    }

    private Optional<Forecast> forecast(Job job) {
        String cluster = job.spec().cluster();
        if (controller.unreachable(cluster).isPresent()) return Optional.empty();
        return Optional.of(
                shelf(cluster).forecast(controller.view(cluster), Optional.of(job.id())));
    }

    /** All that wait on the job's cluster, in the order of the queue. */
    public List<Explanation> queue(Job job) {
        String cluster = job.spec().cluster();
        return shelf(cluster).queue(controller.view(cluster));
    }

    /** Of all that wait on a cluster; empty while nobody can see it. */
    Optional<Forecast> forecast(String cluster) {
        if (controller.unreachable(cluster).isPresent()) return Optional.empty();
        return Optional.of(shelf(cluster).forecast(controller.view(cluster), Optional.empty()));
    }
}
