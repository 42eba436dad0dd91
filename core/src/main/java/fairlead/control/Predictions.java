package fairlead.control;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Prediction;
import fairlead.policy.forecast.Calibration;
import fairlead.policy.forecast.Forecast;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What each waiting job was first told about its start, and what is learnt from it once it has
 * started: bands are made as wide as the last errors of the cluster ask for. For one thread, but
 * for {@link #calibration}.
 */
public final class Predictions {
    /** Who starts sooner has not really waited. */
    private static final Duration WAITED_LEAST = Duration.ofSeconds(1);

    /** Further than this nobody plans, and the journal's times have an end. */
    private static final Duration FORESEEN_MAX = Duration.ofDays(365);

    /** Keeps one commit small; the others follow with the next look. */
    private static final int BATCH_MAX = 1_000;

    /** So many looks pass until a job that has no forecast is looked at again. */
    private static final int LOOKS_BETWEEN_RETRIES = 60;

    private final Controller controller;
    private final Map<String, Calibration> calibrations = new ConcurrentHashMap<>();

    /** As many as wait; forgotten when the server ends, which costs their lesson. */
    private final Map<JobId, Told> told = new HashMap<>();

    private final Set<JobId> unforeseen = new HashSet<>();
    private int looks;

    private record Told(Instant at, Calibration.Spread foreseen) {}

    public Predictions(Controller controller) {
        this.controller = controller;
    }

    /** How wide the bands of a cluster are. Any thread. */
    public Calibration calibration(String cluster) {
        return calibrations.getOrDefault(cluster, Calibration.UNSEEN);
    }

    /**
     * Learns from those who have started since the last look, and says what those are told who have
     * begun to wait.
     *
     * @param forecasts by cluster; empty while nobody can see it
     */
    public Optional<Message.Predicted> look(
            Instant now, Function<String, Optional<Forecast>> forecasts) {
        if (looks++ % LOOKS_BETWEEN_RETRIES == 0) unforeseen.clear();
        learn();
        var clusters = new TreeSet<String>();
        for (Job job : controller.unfinished())
            if (wants(job, now)) clusters.add(job.spec().cluster());
        var predictions = new HashMap<JobId, Prediction>();
        for (String cluster : clusters) {
            Optional<Forecast> forecast = forecasts.apply(cluster);
            for (Job job : controller.unfinished()) {
                if (predictions.size() == BATCH_MAX) break;
                if (!job.spec().cluster().equals(cluster) || !wants(job, now)) continue;
                // Who has come since it was made is in the next one.
                if (forecast.isPresent() && !forecast.get().hasJudged(job.id())) continue;
                forecast.flatMap(it -> prediction(it, job, now))
                        .ifPresentOrElse(
                                band -> predictions.put(job.id(), band),
                                () -> unforeseen.add(job.id()));
            }
        }
        return predictions.isEmpty()
                ? Optional.empty()
                : Optional.of(new Message.Predicted(predictions));
    }

    private void learn() {
        told.entrySet()
                .removeIf(
                        entry -> {
                            Optional<Job> job = controller.unfinished(entry.getKey());
                            if (job.isEmpty()) return true;
                            if (job.get().attempts() == 0) return false;
                            job.get().started().ifPresent(at -> learn(job.get(), entry, at));
                            return job.get().started().isPresent();
                        });
    }

    private void learn(Job job, Map.Entry<JobId, Told> entry, Instant started) {
        String cluster = job.spec().cluster();
        Duration wait = Duration.between(entry.getValue().at(), started);
        calibrations.put(
                cluster,
                calibration(cluster)
                        .after(entry.getValue().foreseen(), entry.getValue().at(), wait));
    }

    private boolean wants(Job job, Instant now) {
        return job.state() instanceof JobState.Queued queued
                && !queued.isHeld()
                && job.prediction().isEmpty()
                && job.attempts() == 0
                && job.submitted().plus(WAITED_LEAST).isBefore(now)
                && !unforeseen.contains(job.id());
    }

    private Optional<Prediction> prediction(Forecast forecast, Job job, Instant now) {
        Optional<Forecast.Band> band =
                forecast.band(job.id(), calibration(job.spec().cluster()))
                        .filter(it -> !it.latest().isAfter(now.plus(FORESEEN_MAX)));
        if (band.isPresent())
            told.put(job.id(), new Told(forecast.at(), forecast.starts().get(job.id())));
        return band.map(it -> Prediction.of(it.earliest(), it.expected(), it.latest()));
    }
}
