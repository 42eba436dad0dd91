package fairlead.policy.elastic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Sums worked out by hand: an epoch takes 400 s on 1 GPU, 100 s on 4; a restart 30 s, a round 60 s.
 */
class RolloutTest {
    private static final double NEVER = Double.POSITIVE_INFINITY;
    private static final Greedy.Rule RULE = new Greedy.Rule(2, 0.4, 1, 0.1);
    private static final int ON_ONE = 0;
    private static final int ON_FOUR = 1;

    @Test
    void aJobThatStartsPaysTheRestartAndOneThatGoesOnOnlyTheRestOfItsOwn() {
        assertEquals(1_030, cost(4, new int[] {ON_FOUR}, job(10, Map.of(), 0, NEVER)), 1e-6);
        assertEquals(430, cost(1, new int[] {ON_ONE}, job(1, Map.of(), 0, NEVER)), 1e-6);
        assertEquals(1_000, cost(4, new int[] {ON_FOUR}, job(10, Map.of(0, 4), 0, NEVER)), 1e-6);
        assertEquals(1_020, cost(4, new int[] {ON_FOUR}, job(10, Map.of(0, 4), 20, NEVER)), 1e-6);
    }

    @Test
    void aJobThatMovesPaysTheRestartThoughItKeepsItsSize() {
        var jobs = List.of(job(10, Map.of(0, 4), 0, NEVER));
        double cost = rollout(4, jobs).cost(new int[] {ON_FOUR}, new boolean[] {true}, RULE, NEVER);
        assertEquals(1_030, cost, 1e-6);
    }

    @Test
    void whoEndsLateCostsAQuarterOfAnHourMore() {
        assertEquals(1_000, cost(4, new int[] {ON_FOUR}, job(10, Map.of(0, 4), 0, 1_000)), 1e-6);
        assertEquals(1_900, cost(4, new int[] {ON_FOUR}, job(10, Map.of(0, 4), 0, 999)), 1e-6);
    }

    /** The first ends after 100 s; in the round after, at 120 s, the second starts. */
    @Test
    void whoWaitsStartsInTheRoundAfterAnEnd() {
        assertEquals(
                100 + 120 + 30 + 200,
                cost(
                        4,
                        new int[] {ON_FOUR, -1},
                        job(1, Map.of(0, 4), 0, NEVER),
                        job(2, Map.of(), 0, NEVER)),
                1e-6);
    }

    /** On 4 of 5 GPUs until 120 s; the other has then done 0.3 epochs, and 3.7 on 4 take 370 s. */
    @Test
    void whoRunsSmallGrowsWhereThatPays() {
        assertEquals(
                100 + 120 + 30 + 370,
                cost(
                        5,
                        new int[] {ON_FOUR, ON_ONE},
                        job(1, Map.of(0, 4), 0, NEVER),
                        job(4, Map.of(0, 1), 0, NEVER)),
                1e-6);
        assertEquals(
                100 + 130,
                cost(
                        5,
                        new int[] {ON_FOUR, ON_ONE},
                        job(1, Map.of(0, 4), 0, NEVER),
                        job(0.325, Map.of(0, 1), 0, NEVER)),
                1e-6,
                "10 s are left, less than a restart");
    }

    /**
     * From 120 s on it would grow; its epoch ends at 400 s, and the round before begins at 360 s.
     */
    @Test
    void whoStopsAtTheEndOfAnEpochOnlyGrowsThen() {
        var jobs = List.of(job(1, Map.of(0, 4), 0, NEVER), bound(2, Map.of(0, 1)));
        double cost =
                rollout(5, jobs).cost(new int[] {ON_FOUR, ON_ONE}, new boolean[2], RULE, NEVER);
        assertEquals(100 + 360 + 30 + 110, cost, 1e-6);
    }

    @Test
    void aSumAboveTheLimitIsOfNoInterest() {
        var jobs = List.of(job(10, Map.of(0, 4), 0, NEVER), job(1, Map.of(), 0, NEVER));
        int[] sizes = {ON_FOUR, -1};
        boolean[] moved = new boolean[2];
        double exact = rollout(4, jobs).cost(sizes, moved, RULE, NEVER);
        assertEquals(1_000 + 1_020 + 130, exact, 1e-6);
        assertEquals(exact, rollout(4, jobs).cost(sizes, moved, RULE, exact), 1e-6);
        assertEquals(Double.MAX_VALUE, rollout(4, jobs).cost(sizes, moved, RULE, 2_000));
    }

    @Test
    void whoNeverFindsGpusCostsThirtyYears() {
        assertEquals(1e9, cost(0, new int[] {-1}, job(1, Map.of(), 0, NEVER)), 1);
    }

    @Test
    void theRuleGivesAWaitingJobAllThatPaysAndDisturbsNobodyForLittle() {
        assertArrayEquals(
                new int[] {ON_FOUR},
                rollout(4, List.of(job(10, Map.of(), 0, NEVER))).sizes(RULE, true));
        assertArrayEquals(
                new int[] {ON_FOUR},
                rollout(4, List.of(job(10, Map.of(0, 1), 0, NEVER))).sizes(RULE, true));
        assertArrayEquals(
                new int[] {ON_ONE},
                rollout(4, List.of(job(0.05, Map.of(0, 1), 0, NEVER))).sizes(RULE, true),
                "20 s are left");
    }

    private static double cost(int gpus, int[] sizes, Trainee... jobs) {
        return rollout(gpus, Arrays.asList(jobs))
                .cost(sizes, new boolean[jobs.length], RULE, NEVER);
    }

    private static Rollout rollout(int gpus, List<Trainee> jobs) {
        int[] demand = new int[jobs.size()];
        Arrays.fill(demand, 4);
        var shares = new Shares(jobs, demand, gpus, Map.of(), Map.of());
        Duration round = Duration.ofSeconds(60);
        var greedy = new Greedy(jobs, gpus, round, shares);
        return new Rollout(jobs, greedy, Duration.ofSeconds(30), round);
    }

    private static Trainee job(
            double epochs, Map<Integer, Integer> place, double starting, double due) {
        return new Trainee("job", "ann", 0, curve(), epochs, place, starting, due, true);
    }

    private static Trainee bound(double epochs, Map<Integer, Integer> place) {
        return new Trainee("job", "ann", 0, curve(), epochs, place, 0, NEVER, false);
    }

    private static Curve curve() {
        return Curve.fit(List.of(1, 4), Map.of(1, 400.0, 4, 100.0), 4, 1, List.of());
    }
}
