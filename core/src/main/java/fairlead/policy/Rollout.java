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
    /** Each job ends, and may end some epochs as events of their own; more is a rule at odds. */
    private static final int EVENTS_PER_JOB_MAX = 10;

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
        work[i] = Double.MAX_VALUE;
        for (int k = 0; k < sizes; k++) {
            size[i][k] = curve.size(k);
            seconds[i][k] = curve.seconds(k);
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
                double gain = 1 / seconds[i][k] - (at < 0 ? 0 : 1 / seconds[i][at]);
                double rise = gain * work[i] / (size[i][k] - gpus(i, at));
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

    /** The most GPUs that make the job faster. */
    int mostGpus(int i) {
        return size[i][hull[i][hull[i].length - 1]];
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
            double next = nextEvent(time);
            if (next == Double.MAX_VALUE || event > EVENTS_PER_JOB_MAX * count) {
                return Double.MAX_VALUE;
            }
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

    private double nextEvent(double time) {
        double next = Double.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            if (done[i] || now[i] < 0) continue;
            next = Math.min(next, time + pause[i] + left[i] * seconds[i][now[i]]);
            if (isHeldBack[i]) {
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
        free = climb(rule, 0, sizes, free);
        // The next step of nobody fits: a size beside the hull may.
        for (int place = count - 1; place >= 0 && free > 0; place--) {
            int i = order[place];
            if (done[i] || step[i] == hull[i].length) continue;
            for (int k = hull[i][step[i]]; k > sizes[i]; k--) {
                int more = size[i][k] - gpus(i, sizes[i]);
                boolean isFaster = sizes[i] < 0 || seconds[i][k] < seconds[i][sizes[i]];
                if (more > free || !isFaster) continue;
                free -= more;
                sizes[i] = k;
                break;
            }
        }
    }

    private int climb(Rule rule, double thrift, int[] sizes, int free) {
        int rest = free;
        while (rest > 0) {
            shares.nextStep();
            for (int place = count - 1; place >= 0; place--) {
                int i = order[place];
                if (done[i] || step[i] == hull[i].length || slope[i][step[i]] < thrift) continue;
                int k = hull[i][step[i]];
                int more = size[i][k] - gpus(i, sizes[i]);
                if (more > rest) continue;
                double value = slope[i][step[i]] * weight[i];
                shares.offer(i, more, k <= now[i] ? value * (1 + rule.stickiness) : value);
            }
            int i = shares.best();
            if (i < 0) break;
            int k = hull[i][step[i]++];
            int more = size[i][k] - gpus(i, sizes[i]);
            shares.take(i, more);
            rest -= more;
            sizes[i] = k;
        }
        return rest;
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
