package fairlead.simulator;

import java.util.Arrays;

/** How many jobs are unfinished at each time, and on average over a span of time. */
final class Crowd {
    private final double[] submits;
    private final double[] submitSums;
    private final double[] finishes;
    private final double[] finishSums;

    Crowd(double[] submits, double[] finishes) {
        this.submits = sorted(submits);
        this.finishes = sorted(finishes);
        this.submitSums = sums(this.submits);
        this.finishSums = sums(this.finishes);
    }

    double average(double from, double to) {
        return (lived(to) - lived(from)) / (to - from);
    }

    /** The time that all jobs together have been unfinished until then. */
    private double lived(double time) {
        return since(submits, submitSums, time) - since(finishes, finishSums, time);
    }

    /** The sum of the times that have passed since each of these that is over. */
    private static double since(double[] times, double[] sums, double time) {
        int found = Arrays.binarySearch(times, time);
        // Those at this very time add nothing, whichever of them the search has found.
        int before = found >= 0 ? found : -found - 1;
        return before * time - sums[before];
    }

    private static double[] sorted(double[] times) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    private static double[] sums(double[] times) {
        double[] sums = new double[times.length + 1];
        for (int i = 0; i < times.length; i++) sums[i + 1] = sums[i] + times[i];
        return sums;
    }
}
