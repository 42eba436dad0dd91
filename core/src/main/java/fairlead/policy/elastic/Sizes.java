package fairlead.policy.elastic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * How many GPUs each training job gets now, and on which nodes.
 *
 * <p>Goals, by rank: owners get their fair share of GPUs, and an owner's higher priorities go
 * first; then the jobs end early on average. Constraints: whole sizes of the curve, at most what is
 * free, on nodes as {@link Layout} demands; a job that stops only at the end of an epoch keeps its
 * size until the end is near.
 *
 * <p>The idea: some plans are made by greedy rules, some of them by changing as little as possible.
 * Each is laid out on the nodes for real, with what that takes in restarts and lesser sizes, and
 * then rolled out until all jobs have ended. The plan with the least sum of completion times wins.
 * So a restart is paid only where it pays, and no number in here says when that is.
 *
 * <p>Example: a job of 4 GPUs with an hour left holds a node of 4, and a job of 1 GPU and a minute
 * comes. To wait costs the short one an hour; to shrink the long one to 3 costs it a restart and
 * some twenty minutes, less with every minute after which it may grow back. The short one starts.
 */
final class Sizes {
    /** Different enough to disagree: how steeply short jobs come first, and who may waste GPUs. */
    private static final List<Greedy.Rule> RULES =
            List.of(
                    new Greedy.Rule(2, 0.4, 1, 0.1),
                    new Greedy.Rule(1, 0, 1, 0.1),
                    new Greedy.Rule(2, 0, 1, 0.1),
                    new Greedy.Rule(3, 0.4, 1, 0.1));

    /**
     * With more jobs, plans are rolled out by one rule, not by all: a decision takes some 50 ms.
     */
    private static final int JOBS_WITH_ALL_RULES_MAX = 50;

    /** With more jobs, nothing is rolled out, and the first rule decides. */
    private static final int JOBS_ROLLED_OUT_MAX = 150;

    private final List<Trainee> jobs;
    private final int perNode;
    private final int[] free;
    private final int gpus;
    private final Shares shares;
    private final Greedy greedy;
    private final Rollout rollout;
    private final int[] current;
    private final List<Greedy.Rule> rules;
    private final boolean mayStop;

    /** GPUs by job in the first plan, which the rule made with regard to shares and priorities. */
    private int[] fair;

    private Layout bestLayout;
    private double bestCost = Double.POSITIVE_INFINITY;

    /**
     * What the plans are made for.
     *
     * @param perNode GPUs of a whole node
     * @param free GPUs of each node that training jobs may hold, those they hold now included
     * @param weights of owners; 1 for those who are not named
     * @param heldElsewhere GPUs of owners that are not among the free ones, but count in the shares
     * @param mayStop whether running jobs may be changed now
     */
    record Setting(
            int perNode,
            List<Integer> free,
            Duration restartCost,
            Duration round,
            Map<String, Double> weights,
            Map<String, Integer> heldElsewhere,
            boolean mayStop) {}

    private Sizes(List<Trainee> jobs, Setting setting) {
        this.jobs = jobs;
        perNode = setting.perNode();
        free = setting.free().stream().mapToInt(Integer::intValue).toArray();
        gpus = Arrays.stream(free).sum();
        int[] demand = jobs.stream().mapToInt(job -> job.curve().fastest()).toArray();
        shares = new Shares(jobs, demand, gpus, setting.weights(), setting.heldElsewhere());
        greedy = new Greedy(jobs, gpus, setting.round(), shares);
        rollout = new Rollout(jobs, greedy, setting.restartCost(), setting.round());
        current = jobs.stream().mapToInt(Trainee::current).toArray();
        mayStop = setting.mayStop();
        rules = jobs.size() <= JOBS_WITH_ALL_RULES_MAX ? RULES : RULES.subList(0, 1);
    }

    /**
     * The nodes on which each job should run, with the GPUs on each; a job that is missing should
     * not run. A running job whose nodes differ from those it holds has to stop. A start may need
     * GPUs of a job that stops at the end of its epoch only: it has to wait for them.
     */
    static Map<String, Map<Integer, Integer>> of(List<Trainee> trainees, Setting setting) {
        List<Trainee> jobs = trainees.stream().sorted(Trainee.BY_ID).toList();
        var sizes = new Sizes(jobs, setting);
        if (jobs.size() > JOBS_ROLLED_OUT_MAX) {
            sizes.bestLayout = sizes.layout(sizes.rollout.sizes(RULES.getFirst(), sizes.mayStop));
        } else {
            sizes.search();
        }
        var places = new TreeMap<String, Map<Integer, Integer>>();
        for (int i = 0; i < jobs.size(); i++) {
            Map<Integer, Integer> place = sizes.bestLayout.place(i);
            if (!place.isEmpty()) places.put(jobs.get(i).id(), place);
        }
        return places;
    }

    /** The jobs with the least to do first. */
    private int[] byWork() {
        return IntStream.range(0, jobs.size())
                .boxed()
                .sorted(
                        Comparator.comparing(
                                (Integer i) -> jobs.get(i).epochsLeft() * greedy.work[i]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private void search() {
        int[] byWork = byWork();
        var plans = new ArrayList<int[]>();
        for (Greedy.Rule rule : RULES) {
            int[] wanted = rollout.sizes(rule, true);
            // The first one is fair, by which the others are measured.
            plans.add(mayStop ? wanted : rollout.sizes(rule, false));
            plans.add(withoutPreemption(wanted, byWork));
            if (!mayStop) continue;
            plans.add(withoutGrowth(wanted));
            plans.add(withFewVictims(wanted, byWork));
        }
        int[] largest = new int[jobs.size()];
        Arrays.setAll(largest, greedy::fastest);
        int[] unchanged = withoutPreemption(largest, byWork);
        plans.add(unchanged);
        for (int[] plan : plans) consider(plan);
        if (bestLayout == null) bestLayout = layout(unchanged);
    }

    private int[] withoutGrowth(int[] wanted) {
        int[] plan = wanted.clone();
        for (int i = 0; i < plan.length; i++) {
            if (current[i] >= 0) plan[i] = Math.min(plan[i], current[i]);
        }
        return plan;
    }

    /** Running jobs go on as they are; those that wait get what is free, the shortest first. */
    private int[] withoutPreemption(int[] wanted, int[] byWork) {
        int[] plan = current.clone();
        int rest = gpus - gpus(plan);
        for (int i : byWork) {
            if (plan[i] >= 0) continue;
            int k = Math.max(wanted[i], 0);
            while (greedy.gpus(i, k) > rest) k = greedy.lesser(i, k);
            plan[i] = k;
            rest -= greedy.gpus(i, k);
        }
        return plan;
    }

    /** Starts as wanted, and the longest jobs give way until there is room. */
    private int[] withFewVictims(int[] wanted, int[] byWork) {
        int[] plan = current.clone();
        for (int i = 0; i < plan.length; i++) if (plan[i] < 0) plan[i] = wanted[i];
        int over = gpus(plan) - gpus;
        for (int place = byWork.length - 1; place >= 0 && over > 0; place--) {
            int i = byWork[place];
            if (wanted[i] >= plan[i]) continue;
            over -= greedy.gpus(i, plan[i]) - greedy.gpus(i, wanted[i]);
            plan[i] = wanted[i];
        }
        return plan;
    }

    private int gpus(int[] plan) {
        return IntStream.range(0, plan.length).map(i -> greedy.gpus(i, plan[i])).sum();
    }

    private void consider(int[] plan) {
        int[] sizes = plan.clone();
        Layout layout = layout(sizes);
        boolean[] restarted = new boolean[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            restarted[i] = !layout.place(i).equals(jobs.get(i).place());
        }
        int[] held = new int[sizes.length];
        Arrays.setAll(held, i -> greedy.gpus(i, sizes[i]));
        boolean isFair = fair == null || shares.isAsFair(held, fair);
        if (fair == null) fair = held;
        // On the nodes there may be less room than it seemed.
        if (!isFair || !shares.leavesRunning(held)) return;
        for (Greedy.Rule rule : rules) {
            double cost = rollout.cost(sizes, restarted, rule, bestCost);
            if (cost >= bestCost) continue;
            bestLayout = layout;
            bestCost = cost;
        }
    }

    /** Lays the plan out; a job that finds no place gets the next lesser size, in the plan too. */
    private Layout layout(int[] plan) {
        var layout = new Layout(perNode, free, plan.length);
        for (int i = 0; i < plan.length; i++) {
            boolean stays = plan[i] >= 0 && plan[i] == current[i];
            if (stays)
                layout.keep(
                        i,
                        jobs.get(i).place(),
                        !mayStop || greedy.isBound(i, plan[i], jobs.get(i).epochsLeft()));
        }
        int[] toPlace =
                IntStream.range(0, plan.length)
                        .filter(i -> plan[i] >= 0 && plan[i] != current[i])
                        .boxed()
                        .sorted(
                                Comparator.comparing((Integer i) -> -jobs.get(i).priority())
                                        .thenComparing(i -> -greedy.size[i][plan[i]]))
                        .mapToInt(Integer::intValue)
                        .toArray();
        boolean isAllPlaced = true;
        for (int i : toPlace) {
            while (plan[i] >= 0 && !layout.fit(i, greedy.size[i][plan[i]])) {
                plan[i] = greedy.lesser(i, plan[i]);
            }
            isAllPlaced &= plan[i] >= 0;
        }
        if (!isAllPlaced) fill(layout, plan);
        return layout;
    }

    /** What somebody counted on who found no place goes to those who wait with less. */
    private void fill(Layout layout, int[] plan) {
        IntStream.range(0, plan.length)
                .filter(i -> plan[i] < 0 && current[i] < 0)
                .boxed()
                .sorted(Comparator.comparing(i -> -jobs.get(i).priority()))
                .forEach(
                        i -> {
                            if (layout.fit(i, greedy.size[i][0])) plan[i] = 0;
                        });
    }
}
