package fairlead.policy.elastic;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Who may take the next GPUs: the owners' fair shares, and each owner's priorities.
 *
 * <p>Nobody's running job stops for another's here: that is for the fair rule. So each owner first
 * has what the running ones need at least.
 *
 * <p>Shares are max-min fair by weight: nobody's is larger than what they can use, and what they
 * cannot use is shared among the others. A step that keeps its owner within the share comes before
 * one that starts within and ends above, and that before one of an owner who has the share already;
 * among equals the most valuable step wins. Of one owner's steps only those of the highest priority
 * are looked at. With one owner and one priority it is plainly the most valuable step.
 */
final class Shares {
    private static final int STANDINGS = 4;

    private final int[] owner;
    private final int[] priority;
    private final double[] share;
    private final int[] elsewhere;
    private final int[] held;

    /** What each owner's running jobs need at least, with what is held elsewhere. */
    private final int[] floor;

    private final int[] candidate;
    private final int[] candidateGpus;
    private final double[] candidateValue;

    /**
     * @param demand the most GPUs that each job can use
     * @param gpus how many these jobs may hold together
     * @param weights by owner; 1 for those who are not named
     * @param heldElsewhere by owner, GPUs that are not among these but count
     */
    Shares(
            List<Trainee> jobs,
            int[] demand,
            int gpus,
            Map<String, Double> weights,
            Map<String, Integer> heldElsewhere) {
        List<String> owners = jobs.stream().map(Trainee::owner).distinct().sorted().toList();
        owner = jobs.stream().mapToInt(job -> owners.indexOf(job.owner())).toArray();
        priority = jobs.stream().mapToInt(Trainee::priority).toArray();
        elsewhere = owners.stream().mapToInt(name -> heldElsewhere.getOrDefault(name, 0)).toArray();
        double[] wanted = Arrays.stream(elsewhere).asDoubleStream().toArray();
        for (int i = 0; i < owner.length; i++) wanted[owner[i]] += demand[i];
        double[] weight =
                owners.stream().mapToDouble(name -> weights.getOrDefault(name, 1.0)).toArray();
        share = fill(wanted, weight, gpus + Arrays.stream(elsewhere).sum());
        held = new int[owners.size()];
        floor = elsewhere.clone();
        for (int i = 0; i < owner.length; i++) {
            if (jobs.get(i).current() >= 0) floor[owner[i]] += jobs.get(i).curve().size(0);
        }
        candidate = new int[owners.size()];
        candidateGpus = new int[owners.size()];
        candidateValue = new double[owners.size()];
    }

    /** Water-filling: those who want less than their part are served, and the rest is shared. */
    private static double[] fill(double[] wanted, double[] weight, double gpus) {
        double[] share = new double[wanted.length];
        boolean[] served = new boolean[wanted.length];
        double rest = gpus;
        boolean again = true;
        while (again) {
            again = false;
            double weights = 0;
            for (int o = 0; o < share.length; o++) if (!served[o]) weights += weight[o];
            double level = rest / weights;
            for (int o = 0; o < share.length; o++) {
                if (!served[o]) share[o] = level * weight[o];
            }
            for (int o = 0; o < share.length; o++) {
                if (served[o] || wanted[o] > share[o]) continue;
                share[o] = wanted[o];
                served[o] = true;
                rest -= wanted[o];
                again = true;
            }
        }
        return share;
    }

    void begin() {
        System.arraycopy(elsewhere, 0, held, 0, held.length);
    }

    void take(int job, int gpus) {
        held[owner[job]] += gpus;
    }

    void nextStep() {
        Arrays.fill(candidate, -1);
    }

    void offer(int job, int gpus, double value) {
        int o = owner[job];
        int rival = candidate[o];
        boolean wins =
                rival < 0
                        || priority[job] > priority[rival]
                        || priority[job] == priority[rival] && value > candidateValue[o];
        if (!wins) return;
        candidate[o] = job;
        candidateGpus[o] = gpus;
        candidateValue[o] = value;
    }

    /** The job of the step that comes next, or -1 where nothing was offered. */
    int best() {
        int best = -1;
        int bestStanding = STANDINGS;
        for (int o = 0; o < candidate.length; o++) {
            if (candidate[o] < 0) continue;
            int standing = standing(o, candidateGpus[o]);
            boolean wins =
                    standing < bestStanding
                            || standing == bestStanding
                                    && candidateValue[o] > candidateValue[owner[best]];
            if (!wins) continue;
            best = candidate[o];
            bestStanding = standing;
        }
        return best;
    }

    private int standing(int o, int gpus) {
        if (held[o] < floor[o]) return 0;
        if (held[o] + gpus <= share[o]) return 1;
        return held[o] < share[o] ? 2 : 3;
    }

    /** Whether nobody's running jobs have to stop for the jobs of others. */
    boolean leavesRunning(int[] gpus) {
        int[] sums = elsewhere.clone();
        for (int i = 0; i < owner.length; i++) sums[owner[i]] += gpus[i];
        for (int o = 0; o < sums.length; o++) if (sums[o] < floor[o]) return false;
        return true;
    }

    /**
     * Whether sizes are as fair as those of a plan that was made step by step: no owner has lost
     * GPUs of the fair share, no priority has lost GPUs to lower ones of the same owner, and no job
     * waits instead of a lower one. With one owner and one priority every plan is.
     */
    boolean isAsFair(int[] gpus, int[] reference) {
        for (int i = 0; i < owner.length; i++) {
            int own = 0;
            int ownReference = 0;
            int high = 0;
            int highReference = 0;
            boolean isLowest = true;
            for (int other = 0; other < owner.length; other++) {
                if (owner[other] != owner[i]) continue;
                own += gpus[other];
                ownReference += reference[other];
                if (priority[other] < priority[i]) {
                    isLowest = false;
                } else {
                    high += gpus[other];
                    highReference += reference[other];
                }
            }
            if (!isLowest && high < highReference) return false;
            if (own > high && gpus[i] == 0 && reference[i] > 0) return false;
            boolean isAlone = share.length == 1;
            double ownShare = share[owner[i]] - elsewhere[owner[i]];
            if (!isAlone && own < Math.min(ownReference, ownShare)) return false;
        }
        return true;
    }
}
