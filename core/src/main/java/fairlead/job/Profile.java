package fairlead.job;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * What has been measured of a training script: how fast it is on what, and how much memory of a GPU
 * it takes. Immutable.
 *
 * @param memoryBytes the most that one of its GPUs has held; zero when nobody has looked
 */
public record Profile(Map<Setup, Speed> speeds, long memoryBytes) {
    public static final Profile NONE = new Profile(Map.of(), 0);

    /** More ways to run one script than anyone tries; beyond it nothing new is kept. */
    private static final int SETUPS_MAX = 64;

    public Profile {
        speeds = Collections.unmodifiableMap(new TreeMap<>(speeds));
    }

    /**
     * Means over measured epochs.
     *
     * @param stepSeconds zero when the script does not say
     */
    public record Speed(double epochSeconds, double stepSeconds, int epochs) {
        /** Older epochs fade: data and machines change, and a mean of all would never follow. */
        private static final int EPOCHS_MAX = 20;

        Speed and(Speed other) {
            int sum = epochs + other.epochs;
            double step =
                    stepSeconds == 0 || other.stepSeconds == 0
                            ? Math.max(stepSeconds, other.stepSeconds)
                            : mean(stepSeconds, other.stepSeconds, other.epochs);
            return new Speed(
                    mean(epochSeconds, other.epochSeconds, other.epochs),
                    step,
                    Math.min(sum, EPOCHS_MAX));
        }

        private double mean(double own, double others, int othersCount) {
            return (own * epochs + others * othersCount) / (epochs + othersCount);
        }
    }

    public Optional<Speed> speed(Setup setup) {
        return Optional.ofNullable(speeds.get(setup));
    }

    /** With one more epoch; one of unknown length says nothing about speed. */
    public Profile after(Placement placement, Epoch epoch) {
        long memory = Math.max(memoryBytes, epoch.memoryBytes());
        if (epoch.seconds().isEmpty()) return new Profile(speeds, memory);
        var speed = new Speed(epoch.seconds().getAsDouble(), epoch.stepSeconds().orElse(0), 1);
        return new Profile(plus(Setup.of(placement, epoch.beside()), speed), memory);
    }

    public Profile withMemory(long bytes) {
        return bytes <= memoryBytes ? this : new Profile(speeds, bytes);
    }

    /** Of the same script, from another job. */
    public Profile plus(Profile other) {
        Profile sum = this;
        for (var entry : other.speeds.entrySet()) {
            sum = new Profile(sum.plus(entry.getKey(), entry.getValue()), sum.memoryBytes);
        }
        return sum.withMemory(other.memoryBytes);
    }

    private Map<Setup, Speed> plus(Setup setup, Speed speed) {
        if (speeds.size() >= SETUPS_MAX && !speeds.containsKey(setup)) return speeds;
        var more = new TreeMap<>(speeds);
        more.merge(setup, speed, Speed::and);
        return more;
    }

    /**
     * One finished epoch as its script reports it.
     *
     * @param done epochs in all, this one and those before a restart among them
     * @param memoryBytes the most that one GPU has held so far; zero when the script cannot say
     * @param beside the scripts that used the same GPU when it ended
     */
    public record Epoch(
            int done,
            OptionalDouble seconds,
            OptionalDouble stepSeconds,
            long memoryBytes,
            String beside) {
        public Epoch(
                int done, OptionalDouble seconds, OptionalDouble stepSeconds, long memoryBytes) {
            this(done, seconds, stepSeconds, memoryBytes, Setup.ALONE);
        }

        /** The same without its times, which are no measure of anything. */
        public Epoch untimed() {
            return new Epoch(
                    done, OptionalDouble.empty(), OptionalDouble.empty(), memoryBytes, beside);
        }

        public Epoch beside(String others) {
            return new Epoch(done, seconds, stepSeconds, memoryBytes, others);
        }
    }
}
