package fairlead.policy.forecast;

import fairlead.cluster.Foresight;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * How long the jobs of one view may still run: where a run time is known, about that; elsewhere as
 * long as jobs like them have run. What is drawn for a job is the same in each forecast, so that
 * forecasts count down instead of jumping about. Not thread-safe.
 */
final class Lifetimes {
    /** By what factor, at most and with a good chance, a run time that was measured is off. */
    private static final double KNOWN_SPREAD = 1.7;

    /** Run times of fewer jobs say nothing about how much they differ. */
    private static final int SEEN_MIN = 3;

    private final View view;
    private final Map<JobId, Survival> survivals = new HashMap<>();

    /** By job, from what its draws are made. */
    private final Map<JobId, String> dice = new HashMap<>();

    Lifetimes(View view) {
        this.view = view;
    }

    /** Each as half of its like are shorter and half longer. */
    Playout.Lives middle() {
        return lives(_ -> 0.5);
    }

    /** One of many ways in which it may come out. */
    Playout.Lives draw(int number) {
        return lives(
                job -> {
                    long seed = dice(job).hashCode() * 0x9E3779B97F4A7C15L + number;
                    // Split, because seeds that differ little give numbers that differ little.
                    return new SplittableRandom(seed).split().nextDouble();
                });
    }

    /**
     * Jobs of which nothing is known last alike where they are alike: otherwise the long and the
     * short ones of a long line would even out, as if one knew how long they last in the mean.
     */
    private String dice(Job job) {
        return dice.computeIfAbsent(
                job.id(),
                id -> {
                    boolean isUnknown = view.foresight().runTimes(job).ended().size() < SEEN_MIN;
                    return isUnknown ? job.owner() + " " + job.script() : id.text();
                });
    }

    private Playout.Lives lives(ToDoubleFunction<Job> part) {
        return (job, later) -> left(job, job.served(later.now()), part.applyAsDouble(job));
    }

    private Duration left(Job job, Duration served, double part) {
        Optional<Duration> known =
                view.foresight()
                        .runTime(job)
                        // A limit says how long a job may run, and hardly how long it does.
                        .filter(time -> !Optional.of(time).equals(job.spec().timeLimit()))
                        .map(time -> scaled(time, Math.pow(KNOWN_SPREAD, 2 * part - 1)))
                        .map(time -> time.minus(served))
                        .filter(Duration::isPositive);
        return known.orElseGet(
                () -> survivals.computeIfAbsent(job.id(), _ -> survival(job)).left(served, part));
    }

    private Survival survival(Job job) {
        Foresight.RunTimes seen = view.foresight().runTimes(job);
        var lastAtLeast = new ArrayList<>(seen.cutShort());
        for (Job other : view.active()) {
            boolean isAlike =
                    other.owner().equals(job.owner()) && other.spec().gpus() == job.spec().gpus();
            if (isAlike && other.state() instanceof JobState.Running)
                lastAtLeast.add(other.served(view.now()));
        }
        return new Survival(seen.ended(), lastAtLeast);
    }

    private static Duration scaled(Duration time, double factor) {
        return Duration.ofMillis((long) (time.toMillis() * factor));
    }
}
