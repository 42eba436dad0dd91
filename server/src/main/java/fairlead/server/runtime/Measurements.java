package fairlead.server.runtime;

import fairlead.control.Refused;
import fairlead.job.JobId;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.journal.MetricSeries;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The metrics that jobs' scripts report. What comes in waits here for some seconds and then goes
 * into the journal's store in one write for each job, so that a script that reports every step
 * costs little; a crash loses what waited. Any thread.
 */
public final class Measurements {
    private static final Duration EVERY = Duration.ofSeconds(2);

    /** Some megabytes; a script that is refused repeats itself later. */
    private static final int WAITING_MAX = 100_000;

    /** Jobs whose newest values Prometheus is told. */
    private static final int LATEST_MAX = 1_000;

    private static final System.Logger LOG = System.getLogger(Measurements.class.getName());

    private final Journal journal;
    private final Map<JobId, Map<String, List<MetricSeries.Point>>> waiting = new LinkedHashMap<>();
    private int points;

    private final Map<JobId, Map<String, Double>> latest =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<JobId, Map<String, Double>> eldest) {
                    return size() > LATEST_MAX;
                }
            };

    private final Thread thread =
            Thread.ofPlatform().daemon().name("measurements").unstarted(this::run);

    public Measurements(Journal journal) {
        this.journal = journal;
    }

    public void start() {
        thread.start();
    }

    /** Keeps what waits and takes no more. */
    public void stop() throws InterruptedException {
        thread.interrupt();
        thread.join(EVERY.toMillis());
        flush();
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(EVERY);
                flush();
            }
        } catch (InterruptedException _) {
            // The server stops, and flushes for the last time itself.
        }
    }

    /**
     * Takes one point for each of these metrics.
     *
     * @param step null for the number of the point
     */
    public synchronized void take(
            JobId job, Long step, double epoch, long atMillis, Map<String, Double> values)
            throws Refused, JournalException {
        if (points + values.size() > WAITING_MAX)
            throw new Refused(Refused.Kind.BUSY, "too many metrics wait to be kept; try again");
        var known = latest.computeIfAbsent(job, _ -> names(job));
        for (String name : values.keySet())
            if (!known.containsKey(name) && known.size() >= MetricSeries.SERIES_MAX)
                throw new Refused(
                        Refused.Kind.CONFLICT,
                        "a job may have %d metrics".formatted(MetricSeries.SERIES_MAX));
        var ofJob = waiting.computeIfAbsent(job, _ -> new LinkedHashMap<>());
        values.forEach(
                (name, value) -> {
                    known.put(name, value);
                    ofJob.computeIfAbsent(name, _ -> new ArrayList<>())
                            .add(
                                    new MetricSeries.Point(
                                            step == null ? UNSAID : step, epoch, atMillis, value));
                    points++;
                });
    }

    /** Instead of a step; the number of the point takes its place. */
    private static final long UNSAID = -1;

    private Map<String, Double> names(JobId job) {
        var names = new TreeMap<String, Double>();
        try {
            for (MetricSeries series : journal.metrics(job))
                names.put(series.name(), series.points().getLast().value());
        } catch (JournalException lost) {
            LOG.log(System.Logger.Level.WARNING, "metrics cannot be read: {0}", lost.getMessage());
        }
        return names;
    }

    /** All of a job, those that wait included. */
    public synchronized List<MetricSeries> of(JobId job) throws JournalException {
        return new ArrayList<>(merged(job, waiting.getOrDefault(job, Map.of())).values());
    }

    /** The newest values of jobs that have reported lately. */
    public synchronized Map<JobId, Map<String, Double>> latest() {
        var copy = new LinkedHashMap<JobId, Map<String, Double>>();
        latest.forEach((job, values) -> copy.put(job, new TreeMap<>(values)));
        return copy;
    }

    private synchronized void flush() {
        try {
            while (!waiting.isEmpty()) {
                JobId job = waiting.keySet().iterator().next();
                Map<String, List<MetricSeries.Point>> more = waiting.get(job);
                Map<String, MetricSeries> all = merged(job, more);
                all.keySet().retainAll(more.keySet());
                journal.keep(job, all.values());
                waiting.remove(job);
                for (List<MetricSeries.Point> kept : more.values()) points -= kept.size();
            }
        } catch (JournalException lost) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "metrics cannot be kept, and wait: {0}",
                    lost.getMessage());
        }
    }

    private Map<String, MetricSeries> merged(JobId job, Map<String, List<MetricSeries.Point>> more)
            throws JournalException {
        var all = new TreeMap<String, MetricSeries>();
        for (MetricSeries series : journal.metrics(job)) all.put(series.name(), series);
        more.forEach(
                (name, points) -> {
                    MetricSeries series = all.getOrDefault(name, MetricSeries.empty(name));
                    for (MetricSeries.Point point : points)
                        series = series.with(placed(point, series));
                    all.put(name, series);
                });
        return all;
    }

    private static MetricSeries.Point placed(MetricSeries.Point point, MetricSeries series) {
        return point.step() != UNSAID
                ? point
                : new MetricSeries.Point(
                        series.seen(), point.epoch(), point.atMillis(), point.value());
    }
}
