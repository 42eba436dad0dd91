package fairlead.policy;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * What would become of the training jobs if they got certain sizes now and a simple rule decided
 * from then on: no new jobs, and every epoch as long as its curve says.
 *
 * <p>The rule is greedy. Jobs are ranked by the GPU-time that they need at their thriftiest size,
 * and the GPUs go, step by step, to where a GPU adds most speed times the job's weight. Weights
 * rise with the rank, so short jobs come first, but a long one keeps what the short can hardly use:
 * heSRPT (Berg, Vesilo, Harchol-Balter, 2020) shows that for many GPUs rank matters and size does
 * not. Steps go along the upper hull of the curve, so a size that is slower than a smaller one is
 * never taken.
 *
 * <p>Works on arrays by the job's index, since it is asked hundreds of times for one decision. Not
 * thread-safe.
 */
final class Rollout {
    /**
     * Ends of epochs at which a job may change are looked at only in the first events of a rollout:
     * a day of short epochs would cost more than it tells.
     */
    private static final int EVENTS_WITH_EPOCHS_MAX = 64;

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

    final int[] current;
    final Shares shares;
    private final double restart;
    private final double round;
    private final int gpus;
    private final List<Trainee> jobs;
    private final boolean[][] isUseful;
    private final int[][] hull;
    private final double[][] slope;

    private final double[] left;
    private final double[] pause;
    private final int[] now;
    private final boolean[] done;
    private final boolean[] isHeldBack;
    private final double[] weight;
    private final int[] step;
    private final int[] order;
    private final int[] wanted;

    Rollout(List<Trainee> jobs, int gpus, Duration restartCost, Duration round, Shares shares) {
        this.jobs = jobs;
        this.gpus = gpus;
        this.restart = restartCost.toMillis() / 1e3;
        this.round = round.toMillis() / 1e3;
        this.shares = shares;
        count = jobs.size();
        size = new int[count][];
        seconds = new double[count][];
        work = new double[count];
        current = jobs.stream().mapToInt(Trainee::current).toArray();
        isUseful = new boolean[count][];
        hull = new int[count][];
        slope = new double[count][];
        left = new double[count];
        pause = new double[count];
        now = new int[count];
        done = new boolean[count];
        isHeldBack = new boolean[count];
        weight = new double[count];
        step = new int[count];
        order = new int[count];
        wanted = new int[count];
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

    double workLeft(int i) {
        return jobs.get(i).epochsLeft() * work[i];
    }

    /** Whether a change of the job's size would not take effect before the next decision. */
    boolean isBound(int i) {
        return isBound(i, current[i], jobs.get(i).epochsLeft());
    }

    private boolean isBound(int i, int k, double epochsLeft) {
        if (k < 0 || jobs.get(i).stopsAnywhere()) return false;
        return toEpochEnd(i, k, epochsLeft) > Math.max(round, EPOCH_END_IS_NEAR * seconds[i][k]);
    }

    private double toEpochEnd(int i, int k, double epochsLeft) {
        return (epochsLeft - Math.ceil(epochsLeft - 1e-9) + 1) * seconds[i][k];
    }

    /** The sizes that the rule gives now. */
    int[] sizes(Rule rule) {
        reset();
        System.arraycopy(current, 0, now, 0, count);
        int[] sizes = new int[count];
        allot(rule, sizes);
        for (int i = 0; i < count; i++) {
            if (sizes[i] > now[i] && now[i] >= 0 && !pays(rule, i, sizes[i])) sizes[i] = now[i];
        }
        return sizes;
    }

    private void reset() {
        for (int i = 0; i < count; i++) {
            left[i] = jobs.get(i).epochsLeft();
            done[i] = false;
            order[i] = i;
        }
    }

    private boolean pays(Rule rule, int i, int k) {
        double stay = left[i] * seconds[i][now[i]];
        return left[i] * seconds[i][k] + restart <= (1 - rule.leastGain) * stay;
    }

    /**
     * Seconds from now until each job has ended, in sum.
     *
     * @param restarted jobs that start again although they keep their size
     * @param limit a sum above it is of no interest, and need not be exact
     */
    double cost(int[] sizes, boolean[] restarted, Rule rule, double limit) {
        reset();
        for (int i = 0; i < count; i++) {
            boolean stays = sizes[i] == current[i] && !restarted[i];
            now[i] = sizes[i];
            isHeldBack[i] = false;
            pause[i] = sizes[i] < 0 ? 0 : stays ? jobs.get(i).startingSeconds() : restart;
        }
        double time = 0;
        double sum = 0;
        int running = count;
        for (int event = 0; running > 0; event++) {
            double next = nextEvent(time, event < EVENTS_WITH_EPOCHS_MAX);
            if (next == Double.MAX_VALUE) return next;
            next = Math.max(time + round, Math.ceil((next - 1e-6) / round) * round);
            for (int i = 0; i < count; i++) {
                if (done[i] || now[i] < 0) continue;
                double end = pause[i] + left[i] * seconds[i][now[i]];
                if (time + end <= next) {
                    sum += time + end;
                    done[i] = true;
                    running--;
                } else {
                    double lost = Math.min(next - time, pause[i]);
                    pause[i] -= lost;
                    left[i] -= (next - time - lost) / seconds[i][now[i]];
                }
            }
            time = next;
            if (sum + running * time > limit) return Double.MAX_VALUE;
            if (running > 0) change(rule);
        }
        return sum;
    }

    private double nextEvent(double time, boolean withEpochs) {
        double next = Double.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            if (done[i] || now[i] < 0) continue;
            next = Math.min(next, time + pause[i] + left[i] * seconds[i][now[i]]);
            if (withEpochs && isHeldBack[i]) {
                double end = time + pause[i] + toEpochEnd(i, now[i], left[i]);
                next = Math.min(next, Math.floor(end / round) * round);
            }
        }
        return next;
    }

    private void change(Rule rule) {
        allot(rule, wanted);
        for (int i = 0; i < count; i++) {
            isHeldBack[i] = !done[i] && isBound(i, now[i], left[i]);
            if (done[i] || wanted[i] == now[i]) continue;
            if (wanted[i] > now[i] && now[i] >= 0 && !pays(rule, i, wanted[i])) continue;
            now[i] = wanted[i];
            pause[i] = wanted[i] < 0 ? 0 : restart;
        }
    }

    /** Sizes for the jobs that are not done, from what is left of them and what they hold. */
    private void allot(Rule rule, int[] sizes) {
        rank(rule);
        shares.begin();
        int free = gpus;
        for (int i = 0; i < count; i++) {
            boolean isBound = !done[i] && isBound(i, now[i], left[i]);
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

    /** Gives out GPUs until no step that is thrifty enough fits; returns what is left. */
    private int climb(Rule rule, double thrift, int[] sizes, int free) {
        int rest = free;
        while (rest > 0) {
            shares.nextStep();
            for (int place = count - 1; place >= 0; place--) {
                int i = order[place];
                if (done[i] || step[i] == hull[i].length || slope[i][step[i]] < thrift) continue;
                int k = next(i, sizes[i], rest);
                if (k <= sizes[i]) continue;
                boolean isCorner = k == hull[i][step[i]];
                double rise = isCorner ? slope[i][step[i]] : slope(i, sizes[i], k);
                // A job that waits may waste: it must not wait for one that comes after it.
                if (rise < thrift && sizes[i] >= 0) continue;
                double value = rise * weight[i];
                shares.offer(
                        i,
                        size[i][k] - gpus(i, sizes[i]),
                        k <= now[i] ? value * (1 + rule.stickiness) : value);
            }
            int i = shares.best();
            if (i < 0) break;
            int k = next(i, sizes[i], rest);
            rest -= size[i][k] - gpus(i, sizes[i]);
            shares.take(i, size[i][k] - gpus(i, sizes[i]));
            sizes[i] = k;
            if (k == hull[i][step[i]]) step[i]++;
        }
        return rest;
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
