package fairlead.server.routes;

import fairlead.api.ForecastAnswer;
import fairlead.api.ForecastAnswer.DelayBody;
import fairlead.cluster.ClusterState;
import fairlead.cluster.View;
import fairlead.control.Cluster;
import fairlead.control.Controller;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.policy.Explanation;
import fairlead.policy.Policy;
import fairlead.policy.forecast.Calibration;
import fairlead.policy.forecast.Forecast;
import fairlead.server.http.Call;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What would become of a job, and of those who wait, if it were submitted now: the cluster is
 * played forward with it and without it.
 */
final class ForecastRoute {
    private static final int NAMED_MAX = 20;

    /** By less nobody feels delayed, and the play is no more exact than that. */
    private static final Duration DELAY_LEAST = Duration.ofSeconds(30);

    private final Controller controller;
    private final WhyRoute why;
    private final Function<String, Calibration> calibrations;
    private final Supplier<Instant> clock;

    /**
     * @param calibrations how wide the bands of a cluster are
     */
    ForecastRoute(
            Controller controller,
            WhyRoute why,
            Function<String, Calibration> calibrations,
            Supplier<Instant> clock) {
        this.controller = controller;
        this.why = why;
        this.calibrations = calibrations;
        this.clock = clock;
    }

    /** Plays twice as much as a forecast, so there is one such call at a time. */
    void send(Call call, String owner, JobSpec spec, List<String> warnings)
            throws InterruptedException {
        call.takeTurn();
        Instant now = clock.get();
        String cluster = spec.cluster();
        Policy policy =
                controller.clusters().stream()
                        .filter(each -> each.name().equals(cluster))
                        .map(Cluster::policy)
                        .findFirst()
                        .orElseThrow();
        JobId id = JobId.of(spec.name(), now, 0);
        Job job = Job.submitted(id, spec, owner, now, Optional.empty(), Optional.empty());
        View without = controller.view(cluster).at(now);
        var state = ClusterState.of(without);
        state.change(Optional.empty(), Optional.of(job));
        View with = state.view(now);
        List<Explanation> queue = policy.explain(with);
        Forecast planned = Forecast.of(with, policy, queue);
        Optional<Explanation> explanation =
                queue.stream().filter(each -> each.job().equals(id)).findFirst();
        boolean startsNow =
                policy.plan(with).starts().stream().anyMatch(start -> start.job().equals(id));
        Optional<Forecast.Band> band =
                explanation.filter(Explanation::isForGood).isPresent()
                        ? Optional.empty()
                        : planned.band(id, calibrations.apply(cluster));
        if (startsNow) band = Optional.of(new Forecast.Band(now, now, now));
        List<DelayBody> delays =
                delays(Forecast.of(without, policy, policy.explain(without)), planned, without);
        call.send(
                200,
                new ForecastAnswer(
                        band.map(it -> it.expected().toString()).orElse(null),
                        band.map(it -> it.earliest().toString()).orElse(null),
                        band.map(it -> it.latest().toString()).orElse(null),
                        startsNow ? List.of() : why.obstacles(job, explanation),
                        startsNow
                                ? List.of()
                                : HolderWords.bodies(planned.holders(id), NAMED_MAX, job, without),
                        delays.stream().limit(NAMED_MAX).toList(),
                        Math.max(0, delays.size() - NAMED_MAX),
                        warnings));
    }

    private static List<DelayBody> delays(Forecast before, Forecast after, View view) {
        var delays = new ArrayList<DelayBody>();
        Forecast.waiting(view)
                .forEach(
                        (id, job) -> {
                            var alone = before.starts().get(id);
                            var together = after.starts().get(id);
                            if (alone == null || together == null) return;
                            Duration later = together.middle().minus(alone.middle());
                            if (later.compareTo(DELAY_LEAST) >= 0)
                                delays.add(
                                        new DelayBody(id.text(), job.owner(), later.toSeconds()));
                        });
        delays.sort(
                Comparator.comparingDouble((DelayBody delay) -> -delay.seconds())
                        .thenComparing(DelayBody::id));
        return delays;
    }
}
