package fairlead.simulator;

import fairlead.cluster.View;
import fairlead.control.Controller;
import fairlead.control.Message;
import fairlead.control.Predictions;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Prediction;
import fairlead.journal.Fact;
import fairlead.policy.Policy;
import fairlead.policy.forecast.Calibration;
import fairlead.policy.forecast.Forecast;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What jobs of a replay are told about their starts, by the code that tells them on a server,
 * beside the band of the queue's own past: from the tenth to the ninetieth percentile of the last
 * waits.
 */
final class Foretelling {
    /** A server looks every second; whoever still waits then has really waited. */
    private static final Duration LOOK_AFTER = Duration.ofSeconds(2);

    private static final int PAST_MAX = 100;

    private final Controller controller;
    private final Policy policy;
    private final Agenda agenda;
    private final Consumer<Message> inbox;
    private final Predictions predictions;
    private final Set<JobId> started = new HashSet<>();
    private final List<Duration> waits = new ArrayList<>();
    private final Map<JobId, Past> past = new HashMap<>();
    private final List<Told> told = new ArrayList<>();

    private record Past(Instant at, Band band) {}

    /**
     * What became of a band that a job was told.
     *
     * @param past the band of the queue's own past
     */
    record Told(Duration waited, Band band, Band past) {}

    /** From when to when a job is to start, counted from when it was told. */
    record Band(Duration low, Duration high) {
        Duration width() {
            return high.minus(low);
        }

        boolean holds(Duration wait) {
            return wait.compareTo(low) >= 0 && wait.compareTo(high) <= 0;
        }

        /** How much wider it must be to hold that wait, as a logarithm; negative inside. */
        double misses(Duration wait) {
            return Math.max(
                    Calibration.log(low) - Calibration.log(wait),
                    Calibration.log(wait) - Calibration.log(high));
        }

        Band widened(double by) {
            return new Band(Calibration.shifted(low, -by), Calibration.shifted(high, by));
        }
    }

    Foretelling(Controller controller, Policy policy, Agenda agenda, Consumer<Message> inbox) {
        this.controller = controller;
        this.policy = policy;
        this.agenda = agenda;
        this.inbox = inbox;
        this.predictions = new Predictions(controller);
    }

    List<Told> told() {
        return told;
    }

    void see(Fact fact, Job after) {
        switch (fact.event()) {
            case Event.Submitted _ -> agenda.after(LOOK_AFTER, this::look);
            case Event.StartPredicted predicted -> past.put(after.id(), past(predicted.at()));
            case Event.AttemptStarted begun -> {
                if (started.add(after.id())) started(after, begun.at());
            }
            default -> {}
        }
    }

    private void look() {
        predictions.look(agenda.now(), _ -> Optional.of(forecast())).ifPresent(inbox);
    }

    private Forecast forecast() {
        View view = controller.view(Stage.CLUSTER).at(agenda.now());
        return Forecast.of(view, policy, policy.explain(view));
    }

    private Past past(Instant at) {
        List<Duration> sorted =
                waits.subList(Math.max(0, waits.size() - PAST_MAX), waits.size()).stream()
                        .sorted()
                        .toList();
        if (sorted.isEmpty()) return new Past(at, new Band(Duration.ZERO, Duration.ZERO));
        int last = sorted.size() - 1;
        return new Past(
                at,
                new Band(
                        sorted.get((int) Math.round(0.1 * last)),
                        sorted.get((int) Math.round(0.9 * last))));
    }

    private void started(Job job, Instant at) {
        waits.add(Duration.between(job.submitted(), at));
        // So that what is learnt from it is known to whoever comes next.
        agenda.after(Duration.ofMillis(1), this::look);
        if (job.prediction().isEmpty()) return;
        Prediction prediction = job.prediction().get();
        Past before = past.get(job.id());
        told.add(
                new Told(
                        Duration.between(before.at(), at),
                        new Band(
                                Duration.between(before.at(), prediction.earliest()),
                                Duration.between(before.at(), prediction.latest())),
                        before.band()));
    }
}
