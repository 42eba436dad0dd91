package fairlead.policy.elastic;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * GPUs given out step by step, each step to where a GPU adds most speed times the job's weight.
 *
 * <p>Jobs are ranked by the GPU-time that they need at their thriftiest size. Weights rise with the
 * rank, so short jobs come first, but a long one keeps what the short can hardly use: heSRPT (Berg,
 * Vesilo, Harchol-Balter, 2020) shows that for speed-ups of one kind the best weights follow the
 * rank, whatever the sizes are. Steps go along the upper hull of the curve, so a size that is
 * slower than a smaller one is never taken.
 *
 * <p>Works on arrays by the job's index and the size's index in its curve (-1: no GPUs), since it
 * is asked thousands of times for one decision. {@link #left}, {@link #now} and {@link #done} say
 * how the jobs stand when it is asked. Not thread-safe.
 */
final class Greedy {
    /**
     * Part of an epoch before its end at which a stop is asked for. Earlier gains nothing, and a
     * better plan may come; later the estimate of the end is not good enough.
     */
    private static final double EPOCH_END_IS_NEAR = 0.1;

    /**
     * How GPUs are given out.
     *
     * @param rankPower weight of a job = (rank from the longest / jobs) to this power
     * @param thrift steps that add less speed per GPU than this come last; 1 is a thrifty GPU's
     * @param stickiness how much more a step counts that a job holds already
     * @param leastGain part of its time left that a running job must save to be worth a restart
     */
    record Rule(double rankPower, double thrift, double stickiness, double leastGain) {}

    final int count;
    final int[][] size;
    final double[][] seconds;

    /** Least GPU-seconds per epoch, over all sizes. */
    final double[] work;

    /** Epochs. */
    final double[] left;

    final int[] now;
    final boolean[] done;

    private final List<Trainee> jobs;
    private final int gpus;
    private final double round;
    private final Shares shares;
    private final boolean[][] isUseful;
    private final int[][] hull;
    private final double[][] slope;
    private final double[] weight;
    private final int[] step;
    private final int[] stepTo;
    private final int[] stepGpus;
    private final double[] stepValue;
    private final int[] order;

    Greedy(List<Trainee> jobs, int gpus, Duration round, Shares shares) {
        this.jobs = jobs;
        this.gpus = gpus;
        this.round = round.toMillis() / 1e3;
        this.shares = shares;
        count = jobs.size();
        size = new int[count][];
        seconds = new double[count][];
        work = new double[count];
        left = new double[count];
        now = new int[count];
        done = new boolean[count];
        isUseful = new boolean[count][];
        hull = new int[count][];
        slope = new double[count][];
        weight = new double[count];
        step = new int[count];
        stepTo = new int[count];
        stepGpus = new int[count];
        stepValue = new double[count];
        order = new int[count];
        for (int i = 0; i < count; i++) read(i, jobs.get(i).curve());
    }

    private void read(int i, Curve curve) {
        int sizes = curve.count();
        size[i] = new int[sizes];
        seconds[i] = new double[sizes];
        isUseful[i] = new boolean[sizes];
        work[i] = Double.MAX_VALUE;
        double fastest = Double.MAX_VALUE;
        for (int k = 0; k < sizes; k++) {
            size[i][k] = curve.size(k);
            seconds[i][k] = curve.seconds(k);
            isUseful[i][k] = seconds[i][k] < fastest;
            fastest = Math.min(fastest, seconds[i][k]);
            work[i] = Math.min(work[i], size[i][k] * seconds[i][k]);
        }
        int[] corners = new int[sizes];
        double[] slopes = new double[sizes];
        int corner = 0;
        int at = -1;
        while (true) {
            int next = -1;
            double steepest = 0;
            for (int k = at + 1; k < sizes; k++) {
                double rise = slope(i, at, k);
                if (rise > steepest + 1e-9) {
                    steepest = rise;
                    next = k;
                }
            }
            if (next < 0) break;
            corners[corner] = next;
            slopes[corner++] = steepest;
            at = next;
        }
        hull[i] = Arrays.copyOf(corners, corner);
        slope[i] = Arrays.copyOf(slopes, corner);
    }

    int gpus(int i, int k) {
        return k < 0 ? 0 : size[i][k];
    }

    /** The size at which the job is fastest. */
    int fastest(int i) {
        return hull[i][hull[i].length - 1];
    }

    /** The next smaller size that is faster than all below it, or -1: no GPUs. */
    int lesser(int i, int k) {
        int next = k - 1;
        while (next >= 0 && !isUseful[i][next]) next--;
        return next;
    }

    void reset() {
        for (int i = 0; i < count; i++) {
            left[i] = jobs.get(i).epochsLeft();
            done[i] = false;
            order[i] = i;
        }
    }

    /** Whether a change of the job's size would not take effect soon. */
    boolean isBound(int i, int k, double epochsLeft) {
        if (k < 0 || jobs.get(i).stopsAnywhere()) return false;
        return toEpochEnd(i, k, epochsLeft) > Math.max(round, EPOCH_END_IS_NEAR * seconds[i][k]);
    }

    double toEpochEnd(int i, int k, double epochsLeft) {
        return (epochsLeft - Math.ceil(epochsLeft - 1e-9) + 1) * seconds[i][k];
    }

    /**
     * Sizes for the jobs that are not done, from what is left of them and what they hold.
     *
     * @param mayStop whether those that run may change
     */
    void allot(Rule rule, int[] sizes, boolean mayStop) {
        rank(rule);
        shares.begin();
        int free = gpus;
        for (int i = 0; i < count; i++) {
            boolean isBound = !done[i] && (!mayStop && now[i] >= 0 || isBound(i, now[i], left[i]));
            sizes[i] = isBound ? now[i] : -1;
            step[i] = isBound ? hull[i].length : 0;
            if (isBound) {
                free -= size[i][now[i]];
                shares.take(i, size[i][now[i]]);
            }
        }
        free = climb(rule, rule.thrift, sizes, free);
        climb(rule, 0, sizes, free);
    }

    /**
     * Gives out GPUs until no step that is thrifty enough fits; returns what is left. A step that
     * was worked out when more was left is worked out again only when its turn has come.
     */
    private int climb(Rule rule, double thrift, int[] sizes, int free) {
        int rest = free;
        for (int i = 0; i < count; i++) prepare(rule, thrift, i, sizes[i], rest);
        while (rest > 0) {
            shares.nextStep();
            for (int place = count - 1; place >= 0; place--) {
                int i = order[place];
                if (stepTo[i] >= 0) shares.offer(i, stepGpus[i], stepValue[i]);
            }
            int i = shares.best();
            if (i < 0) break;
            if (stepGpus[i] <= rest) {
                rest -= stepGpus[i];
                shares.take(i, stepGpus[i]);
                sizes[i] = stepTo[i];
                if (sizes[i] == hull[i][step[i]]) step[i]++;
            }
            prepare(rule, thrift, i, sizes[i], rest);
        }
        return rest;
    }

    /** Works out a job's next step and its value; there is none where {@code stepTo} is -1. */
    private void prepare(Rule rule, double thrift, int i, int at, int rest) {
        stepTo[i] = -1;
        if (done[i] || step[i] == hull[i].length || slope[i][step[i]] < thrift) return;
        int k = next(i, at, rest);
        if (k <= at) return;
        double rise = k == hull[i][step[i]] ? slope[i][step[i]] : slope(i, at, k);
        // A job that waits may waste: it must not wait for one that comes after it.
        if (rise < thrift && at >= 0) return;
        stepTo[i] = k;
        stepGpus[i] = size[i][k] - gpus(i, at);
        stepValue[i] = rise * weight[i] * (k <= now[i] ? 1 + rule.stickiness : 1);
    }

    /** The next corner of the hull, or a size below it where that does not fit. */
    private int next(int i, int at, int rest) {
        int k = hull[i][step[i]];
        while (k > at && size[i][k] - gpus(i, at) > rest) k = lesser(i, k);
        return k;
    }

    /** Speed added per GPU from one size to another; 1 at the thriftiest size. */
    private double slope(int i, int from, int to) {
        double gain = 1 / seconds[i][to] - (from < 0 ? 0 : 1 / seconds[i][from]);
        return gain * work[i] / (size[i][to] - gpus(i, from));
    }

    /** Weights by rank; the order of the last call is nearly right, so that inserting is quick. */
    private void rank(Rule rule) {
        int ranked = 0;
        for (int place = 0; place < count; place++) {
            int i = order[place];
            double mine = done[i] ? Double.MAX_VALUE : left[i] * work[i];
            if (!done[i]) ranked++;
            weight[i] = mine;
            int to = place;
            while (to > 0 && weight[order[to - 1]] < mine) {
                order[to] = order[to - 1];
                to--;
            }
            order[to] = i;
        }
        int finished = count - ranked;
        for (int place = finished; place < count; place++) {
            double part = (place - finished + 1.0) / ranked;
            weight[order[place]] = Math.pow(part, rule.rankPower);
        }
    }
}
