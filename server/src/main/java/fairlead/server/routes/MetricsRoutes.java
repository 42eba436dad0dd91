package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.api.clusters.GpuUseList;
import fairlead.api.metrics.MetricsBody;
import fairlead.api.metrics.MetricsReport;
import fairlead.control.Refused;
import fairlead.job.Job;
import fairlead.journal.JournalException;
import fairlead.journal.MetricSeries;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;
import fairlead.server.runtime.GpuUseHistory;
import fairlead.server.runtime.Measurements;
import fairlead.wire.Json;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What scripts measure of their training, and what is seen of GPUs: numbers over time. */
final class MetricsRoutes {
    /** Whoever has more to say says it in several calls. */
    private static final int POINTS_MAX = 1_000;

    private final JobFinder finder;
    private final Clusters clusters;
    private final Measurements measurements;
    private final GpuUseHistory gpus;
    private final Supplier<Instant> clock;

    MetricsRoutes(
            JobFinder finder,
            Clusters clusters,
            Measurements measurements,
            GpuUseHistory gpus,
            Supplier<Instant> clock) {
        this.finder = finder;
        this.clusters = clusters;
        this.measurements = measurements;
        this.gpus = gpus;
        this.clock = clock;
    }

    void report(Call call) throws IOException, JournalException, Refused {
        Job job = finder.find(call);
        call.onlyJob(job.id());
        // A job's token ends with it.
        if (job.isFinished()) throw new Problem(ErrorCode.GONE, job.id() + " has ended");
        MetricsReport report = Json.read(MetricsReport.class, call.shortBody());
        if (report.points() == null || report.points().size() > POINTS_MAX)
            throw Problem.invalid("points", "points: must be a list of up to " + POINTS_MAX);
        long now = clock.get().toEpochMilli();
        for (MetricsReport.PointBody point : report.points()) check(point);
        for (MetricsReport.PointBody point : report.points()) {
            var said = new TreeMap<String, Double>();
            point.values()
                    .forEach(
                            (name, value) -> {
                                if (value != null && Double.isFinite(value)) said.put(name, value);
                            });
            double epoch = point.epoch() == null ? Double.NaN : point.epoch();
            measurements.take(job.id(), point.step(), epoch, now, said);
        }
        call.sendNothing(204);
    }

    private static void check(MetricsReport.PointBody point) {
        if (point == null || point.values() == null)
            throw Problem.invalid("points", "points: each needs its values");
        if (point.step() != null && point.step() < 0)
            throw Problem.invalid("step", "step: must be 0 or more");
        if (point.epoch() != null && !(point.epoch() >= 0 && Double.isFinite(point.epoch())))
            throw Problem.invalid("epoch", "epoch: must be 0 or more");
        for (String name : point.values().keySet()) {
            boolean fits =
                    !name.isBlank()
                            && name.length() <= MetricSeries.NAME_CHARS_MAX
                            && name.chars().noneMatch(Character::isISOControl);
            if (!fits)
                throw Problem.invalid(
                        "values",
                        "values: a metric's name has 1 to %d characters, none of them a control one"
                                .formatted(MetricSeries.NAME_CHARS_MAX));
        }
    }

    void metrics(Call call) throws JournalException {
        Job job = finder.find(call);
        call.onlyOwner(job, "see the metrics of");
        var series = new ArrayList<MetricsBody.SeriesBody>();
        for (MetricSeries each : measurements.of(job.id())) series.add(body(each));
        call.send(200, new MetricsBody(job.id().text(), series));
    }

    private static MetricsBody.SeriesBody body(MetricSeries series) {
        List<MetricSeries.Point> points = series.points();
        var epochs = new ArrayList<Double>();
        for (MetricSeries.Point point : points)
            epochs.add(Double.isNaN(point.epoch()) ? null : point.epoch());
        return new MetricsBody.SeriesBody(
                series.name(),
                series.seen(),
                points.stream().map(MetricSeries.Point::step).toList(),
                epochs,
                points.stream().map(MetricSeries.Point::atMillis).toList(),
                points.stream().map(MetricSeries.Point::value).toList());
    }

    void gpus(Call call) {
        String cluster = clusters.asked(call).orElse(clusters.first());
        var used = new ArrayList<GpuUseList.UsedGpu>();
        gpus.of(cluster).forEach((place, samples) -> used.add(used(place, samples)));
        call.send(200, new GpuUseList(cluster, (int) GpuUseHistory.EVERY.toSeconds(), used));
    }

    private static GpuUseList.UsedGpu used(
            GpuUseHistory.Place place, List<GpuUseHistory.Sample> samples) {
        var times = new ArrayList<Long>();
        var percent = new ArrayList<Integer>();
        var bytes = new ArrayList<Long>();
        for (GpuUseHistory.Sample sample : samples) {
            times.add(sample.at().toEpochMilli());
            var use = sample.use();
            percent.add(use.percent().isPresent() ? use.percent().getAsInt() : null);
            bytes.add(use.memoryBytes().isPresent() ? use.memoryBytes().getAsLong() : null);
        }
        return new GpuUseList.UsedGpu(place.node(), place.gpu(), times, percent, bytes);
    }
}
