package fairlead.policy.elastic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Seconds per epoch of a training script at each number of GPUs it may have: measured where epochs
 * have ended, estimated elsewhere. Sizes ascend.
 *
 * <p>Estimates, until they are measured:
 *
 * <ul>
 *   <li>Between two measured sizes: on the straight line through them, both axes logarithmic.
 *   <li>Outside: the nearest measured size, scaled by the speed-up that a user's choice suggests.
 *       Who asks for d GPUs has found them 75 % efficient, so by Amdahl's law the speed-up is g /
 *       (1 + b (g - 1)) with b = (1 / efficiency - 1) / (d - 1). Above d a fifth of what the law
 *       promises is believed, up to twice what is known or asked for, and nothing beyond: nobody
 *       has looked.
 *   <li>Nothing measured: the guess at d GPUs, scaled in the same way. An epoch that should long be
 *       over makes the guess longer.
 * </ul>
 *
 * <p>A measured size is taken as it is, also where more GPUs were slower.
 */
final class Curve {
    /** Users who tuned their jobs on the published workloads chose sizes of 0.65 to 0.95. */
    private static final double TUNED_EFFICIENCY = 0.75;

    /** Enough to try more when GPUs are idle, too little to take them from others. */
    private static final double BELIEF_BEYOND = 0.2;

    /** Sizes are tried step by step: beyond so many times what is known, nothing is promised. */
    private static final int REACH = 2;

    /** How far an epoch of unknown length is thought to have come when the guess runs out. */
    private static final double OVERDUE = 0.6;

    /** An epoch that has not ended is never thought to be done. */
    private static final double EPOCH_MAX = 0.95;

    private final int[] sizes;
    private final double[] seconds;
    private final boolean[] measured;

    private Curve(int[] sizes, double[] seconds, boolean[] measured) {
        this.sizes = sizes;
        this.seconds = seconds;
        this.measured = measured;
    }

    /**
     * @param sizes every number of GPUs the job may have
     * @param measured mean seconds of finished epochs by GPUs, of all runs of the same script and
     *     batch size; what is not among the sizes is left out
     * @param declared GPUs that the user asked for
     * @param guess seconds per epoch at that size, for a script of which nothing is measured
     * @param running what the job has spent on its running epoch
     */
    static Curve fit(
            List<Integer> sizes,
            Map<Integer, Double> measured,
            int declared,
            double guess,
            List<Trainee.Stint> running) {
        int[] gpus = sizes.stream().mapToInt(Integer::intValue).sorted().distinct().toArray();
        if (gpus.length == 0 || gpus[0] < 1) {
            throw new IllegalArgumentException("sizes are not positive: " + sizes);
        }
        double[] seconds = new double[gpus.length];
        boolean[] isMeasured = new boolean[gpus.length];
        var known = new ArrayList<Integer>();
        for (int k = 0; k < gpus.length; k++) {
            Double value = measured.get(gpus[k]);
            if (value == null) continue;
            if (!(value > 0)) throw new IllegalArgumentException("epoch seconds are " + value);
            seconds[k] = value;
            isMeasured[k] = true;
            known.add(k);
        }
        var curve = new Curve(gpus, seconds, isMeasured);
        if (known.isEmpty()) {
            curve.guess(declared, guess, running);
        } else {
            for (int k = 0; k < gpus.length; k++) {
                if (!isMeasured[k]) seconds[k] = curve.between(k, known, declared);
            }
        }
        return curve;
    }

    private void guess(int declared, double guess, List<Trainee.Stint> running) {
        if (!(guess > 0)) throw new IllegalArgumentException("guessed epoch seconds are " + guess);
        for (int k = 0; k < sizes.length; k++) seconds[k] = guess * pace(declared, k, declared);
        double late = Trainee.Stint.epochs(running, this) / OVERDUE;
        if (late > 1) Arrays.setAll(seconds, k -> seconds[k] * late);
    }

    private double between(int k, List<Integer> known, int declared) {
        int below = -1;
        int above = -1;
        for (int at : known) {
            if (at < k) below = at;
            if (at > k && above < 0) above = at;
        }
        if (below >= 0 && above >= 0) {
            double part =
                    Math.log((double) sizes[k] / sizes[below])
                            / Math.log((double) sizes[above] / sizes[below]);
            return seconds[below] * Math.pow(seconds[above] / seconds[below], part);
        }
        int nearest = below >= 0 ? below : above;
        return seconds[nearest] * pace(sizes[nearest], k, declared);
    }

    /** Seconds at a size, against those at a number of GPUs for which they are known. */
    private double pace(int known, int k, int declared) {
        int believed = Math.min(sizes[k], REACH * Math.max(known, declared));
        return speedup(known, declared) / speedup(believed, declared);
    }

    /** What a user's choice of GPUs suggests, against one GPU. */
    private static double speedup(int gpus, int declared) {
        double lawful = amdahl(gpus, declared);
        if (gpus <= declared) return lawful;
        double chosen = amdahl(declared, declared);
        return chosen + BELIEF_BEYOND * (lawful - chosen);
    }

    private static double amdahl(int gpus, int declared) {
        double serial = (1 / TUNED_EFFICIENCY - 1) / Math.max(1, declared - 1);
        return gpus / (1 + serial * (gpus - 1));
    }

    /** How much of the running epoch is done, by what its stints would have done at this pace. */
    double part(List<Trainee.Stint> running) {
        return Math.min(EPOCH_MAX, Trainee.Stint.epochs(running, this));
    }

    int count() {
        return sizes.length;
    }

    int size(int k) {
        return sizes[k];
    }

    double seconds(int k) {
        return seconds[k];
    }

    /** The fewest GPUs at which the script is fastest. */
    int fastest() {
        int best = 0;
        for (int k = 1; k < sizes.length; k++) if (seconds[k] < seconds[best]) best = k;
        return sizes[best];
    }

    boolean isMeasured(int k) {
        return measured[k];
    }

    /** Where in the curve a number of GPUs stands; negative for one that the job may not have. */
    int indexOf(int gpus) {
        return Math.max(-1, Arrays.binarySearch(sizes, gpus));
    }

    List<Integer> sizes() {
        return Arrays.stream(sizes).boxed().toList();
    }
}
