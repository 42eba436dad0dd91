package fairlead.policy.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Nodes do not matter here; jobs want 8 GPUs at most and run on 1, 2, 4 or 8. */
class SharesTest {
    private static final double NEVER = Double.POSITIVE_INFINITY;

    /** Ann's share is 4 of 8 GPUs. */
    @Test
    void stepsWithinTheShareComeFirstThenThoseThatLeaveItThenTheRest() {
        var shares = shares(8, Map.of(), Map.of(), waits("ann", 0), waits("bob", 0));
        shares.begin();
        assertEquals(1, best(shares, 4, 1, 4, 2), "both within, and bob's is worth more");
        assertEquals(0, best(shares, 4, 1, 5, 9), "bob's would end above");
        shares.take(1, 4);
        assertEquals(0, best(shares, 5, 1, 1, 9), "bob has his share already");
        shares.take(0, 4);
        assertEquals(1, best(shares, 1, 1, 1, 9));
    }

    @Test
    void whatIsHeldElsewhereCounts() {
        var shares = shares(6, Map.of(), Map.of("bob", 4), waits("ann", 0), waits("bob", 0));
        shares.begin();
        assertEquals(0, best(shares, 5, 1, 2, 9), "5 each: bob has 4, and 2 more are above");
        assertEquals(1, best(shares, 5, 1, 1, 9));
    }

    @Test
    void sharesAreByWeightAndNobodysIsLargerThanWhatTheyCanUse() {
        var weighed = shares(9, Map.of("bob", 2.0), Map.of(), waits("ann", 0), waits("bob", 0));
        weighed.begin();
        assertEquals(1, best(weighed, 4, 9, 6, 1), "6 of 9 are bob's");
        assertEquals(0, best(weighed, 3, 1, 7, 9));
        var jobs = List.of(waits("ann", 0), waits("bob", 0), waits("cyd", 0));
        var served = new Shares(jobs, new int[] {1, 8, 8}, 9, Map.of(), Map.of());
        served.begin();
        served.nextStep();
        served.offer(0, 2, 9);
        served.offer(1, 4, 1);
        assertEquals(1, served.best(), "ann can use 1, so the others have 4 each");
        served.nextStep();
        served.offer(1, 5, 9);
        served.offer(2, 4, 1);
        assertEquals(2, served.best());
    }

    @Test
    void ofOnesStepsTheHighestPriorityThenTheValueDecides() {
        var shares = shares(8, Map.of(), Map.of(), waits("ann", 1), waits("ann", 0));
        shares.begin();
        assertEquals(0, best(shares, 1, 1, 1, 9));
        var equal = shares(8, Map.of(), Map.of(), waits("ann", 0), waits("ann", 0));
        equal.begin();
        assertEquals(1, best(equal, 1, 1, 1, 9));
        assertEquals(0, best(equal, 1, 1, 1, 1), "the first of equals");
        equal.nextStep();
        assertEquals(-1, equal.best());
    }

    @Test
    void whatRunsNeedsItsLeastSizeFirst() {
        var shares = shares(8, Map.of(), Map.of(), runs("ann", 4), waits("bob", 0));
        shares.begin();
        assertEquals(0, best(shares, 8, 1, 1, 9), "ann's running job has nothing yet");
        shares.take(0, 1);
        assertEquals(1, best(shares, 8, 1, 1, 9));
        assertFalse(shares.leavesRunning(new int[] {0, 8}));
        assertTrue(shares.leavesRunning(new int[] {1, 7}));
        var elsewhere = shares(8, Map.of(), Map.of("ann", 2), runs("ann", 4), waits("bob", 0));
        assertFalse(elsewhere.leavesRunning(new int[] {0, 8}), "what is held elsewhere is not it");
    }

    @Test
    void noOwnerLosesOfTheShare() {
        var shares = shares(8, Map.of(), Map.of(), waits("ann", 0), waits("bob", 0));
        int[] fair = {4, 4};
        assertTrue(shares.isAsFair(new int[] {4, 4}, fair));
        assertFalse(shares.isAsFair(new int[] {3, 5}, fair));
        assertTrue(shares.isAsFair(new int[] {4, 2}, new int[] {6, 2}), "the share is 4");
        var elsewhere = shares(6, Map.of(), Map.of("bob", 2), waits("ann", 0), waits("bob", 0));
        assertTrue(elsewhere.isAsFair(new int[] {4, 2}, new int[] {2, 4}), "2 and 2 are 4");
        var alone = shares(8, Map.of(), Map.of(), waits("ann", 0), waits("ann", 0));
        assertTrue(alone.isAsFair(new int[] {0, 1}, fair));
    }

    @Test
    void noPriorityLosesToALowerOneAndNobodyWaitsInsteadOfALowerOne() {
        var shares =
                shares(8, Map.of(), Map.of(), waits("ann", 1), waits("ann", 0), waits("ann", 1));
        int[] fair = {2, 2, 2};
        assertTrue(shares.isAsFair(new int[] {2, 0, 2}, fair));
        assertTrue(shares.isAsFair(new int[] {4, 2, 0}, new int[] {4, 2, 0}));
        assertFalse(shares.isAsFair(new int[] {1, 3, 2}, fair), "the high ones have 3 of 4");
        assertFalse(shares.isAsFair(new int[] {4, 2, 0}, fair), "one of them waits");
        assertTrue(shares.isAsFair(new int[] {4, 0, 0}, fair), "for no lower one");
    }

    /** The job that is next when the two offer steps of so many GPUs and such values. */
    private static int best(Shares shares, int gpus, double value, int otherGpus, double other) {
        shares.nextStep();
        shares.offer(0, gpus, value);
        shares.offer(1, otherGpus, other);
        return shares.best();
    }

    private static Shares shares(
            int gpus,
            Map<String, Double> weights,
            Map<String, Integer> elsewhere,
            Trainee... jobs) {
        int[] demand = new int[jobs.length];
        Arrays.fill(demand, 8);
        return new Shares(List.of(jobs), demand, gpus, weights, elsewhere);
    }

    private static Trainee waits(String owner, int priority) {
        return trainee(owner, priority, Map.of());
    }

    private static Trainee runs(String owner, int gpus) {
        return trainee(owner, 0, Map.of(0, gpus));
    }

    private static Trainee trainee(String owner, int priority, Map<Integer, Integer> place) {
        Curve curve = Curve.fit(List.of(1, 2, 4, 8), Map.of(1, 80.0), 1, 80, List.of());
        return new Trainee(owner, owner, priority, curve, 10, place, 0, NEVER, true);
    }
}
