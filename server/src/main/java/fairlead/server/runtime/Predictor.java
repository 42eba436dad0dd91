package fairlead.server.runtime;

import fairlead.control.Controller;
import fairlead.control.Message;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Prediction;
import fairlead.policy.Forecast;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Keeps what each waiting job was first told about its start, so that it can be judged later. A
 * thread of its own, which nobody waits for.
 */
public final class Predictor {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** Who starts sooner has not really waited. */
    private static final Duration WAITED_LEAST = Duration.ofSeconds(1);

    /** Further than this nobody plans, and the journal's times have an end. */
    private static final Duration FORESEEN_MAX = Duration.ofDays(365);

    /** Keeps one commit small; the others follow a second later. */
    private static final int BATCH_MAX = 1_000;

    /** So many looks pass until a job that has no forecast is looked at again. */
    private static final int LOOKS_BETWEEN_RETRIES = 60;

    private final Controller controller;
    private final Explanations explanations;
    private final Predicate<Message> inbox;
    private final Supplier<Instant> clock;
    private final Consumer<Throwable> bug;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private final Set<JobId> unforeseen = new HashSet<>();
    private int looks;

    public Predictor(
            Controller controller,
            Explanations explanations,
            Predicate<Message> inbox,
            Supplier<Instant> clock,
            Consumer<Throwable> bug) {
        this.controller = controller;
        this.explanations = explanations;
        this.inbox = inbox;
        this.clock = clock;
        this.bug = bug;
        this.thread = Thread.ofPlatform().name("predictor").daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    public void stop(Duration patience) throws InterruptedException {
        stopped.countDown();
        thread.join(patience);
    }

    private void run() {
        try {
            while (!stopped.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) look();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (Throwable broken) {
            bug.accept(broken);
        }
    }

    private void look() {
        if (looks++ % LOOKS_BETWEEN_RETRIES == 0) unforeseen.clear();
        Instant now = clock.get();
        var predictions = new HashMap<JobId, Prediction>();
        var clusters = new TreeSet<String>();
        for (Job job : controller.unfinished()) {
            if (wants(job, now)) clusters.add(job.spec().cluster());
        }
        for (String cluster : clusters) {
            Map<JobId, Forecast.Band> starts = explanations.starts(cluster);
            for (Job job : controller.unfinished()) {
                if (predictions.size() == BATCH_MAX) break;
                if (!job.spec().cluster().equals(cluster) || !wants(job, now)) continue;
                prediction(starts.get(job.id()), now)
                        .ifPresentOrElse(
                                told -> predictions.put(job.id(), told),
                                () -> unforeseen.add(job.id()));
            }
        }
        if (!predictions.isEmpty()) inbox.test(new Message.Predicted(predictions));
    }

    private boolean wants(Job job, Instant now) {
        return job.state() instanceof JobState.Queued
                && job.prediction().isEmpty()
                && job.attempts() == 0
                && job.submitted().plus(WAITED_LEAST).isBefore(now)
                && !unforeseen.contains(job.id());
    }

    private static Optional<Prediction> prediction(Forecast.Band band, Instant now) {
        return band == null || band.latest().isAfter(now.plus(FORESEEN_MAX))
                ? Optional.empty()
                : Optional.of(Prediction.of(band.earliest(), band.expected(), band.latest()));
    }
}
