package fairlead.policy.elastic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Sizes by their index: a job runs on 1, 2, 4 or 8 GPUs, and 8 are slower than 4. */
class GreedyTest {
    private static final Map<Integer, Double> TO_FOUR =
            Map.of(1, 400.0, 2, 200.0, 4, 100.0, 8, 110.0);
    private static final Map<Integer, Double> WASTEFUL =
            Map.of(1, 100.0, 2, 90.0, 4, 80.0, 8, 79.0);
    private static final Greedy.Rule PLAIN = new Greedy.Rule(2, 0, 0, 0);
    private static final Greedy.Rule THRIFTY = new Greedy.Rule(2, 0.5, 0, 0);

    @Test
    void theFastestSizeAndTheNextLesserOneThatPays() {
        Greedy greedy = greedy(8, job(TO_FOUR, 1, true));
        assertEquals(2, greedy.fastest(0));
        assertEquals(2, greedy.lesser(0, 3));
        assertEquals(1, greedy.lesser(0, 2));
        assertEquals(-1, greedy.lesser(0, 0));
        assertEquals(0, greedy.gpus(0, -1));
        assertEquals(8, greedy.gpus(0, 3));
        Greedy slowPair = greedy(8, job(Map.of(1, 100.0, 2, 100.0, 4, 50.0), 1, true));
        assertEquals(0, slowPair.lesser(0, 2), "two are no faster than one");
    }

    @Test
    void whoHasLeastToDoGoesFirst() {
        assertArrayEquals(
                new int[] {-1, 0, -1},
                allot(
                        PLAIN,
                        1,
                        job(TO_FOUR, 9, true),
                        job(TO_FOUR, 1, true),
                        job(TO_FOUR, 5, true)));
        assertArrayEquals(
                new int[] {-1, 2, 0},
                allot(
                        PLAIN,
                        5,
                        job(TO_FOUR, 9, true),
                        job(TO_FOUR, 1, true),
                        job(TO_FOUR, 5, true)),
                "then who has less to do of the others");
    }

    @Test
    void whoIsDoneTakesNothing() {
        Greedy greedy = greedy(4, job(TO_FOUR, 1, true), job(TO_FOUR, 9, true));
        greedy.reset();
        greedy.done[0] = true;
        int[] sizes = new int[2];
        greedy.allot(PLAIN, sizes, true);
        assertArrayEquals(new int[] {-1, 2}, sizes);
    }

    /** A second GPU adds a ninth of the speed of the first. */
    @Test
    void stepsThatWasteComeLast() {
        assertArrayEquals(
                new int[] {0, 2}, allot(THRIFTY, 5, job(WASTEFUL, 1, true), job(TO_FOUR, 9, true)));
        assertArrayEquals(new int[] {3}, allot(THRIFTY, 8, job(WASTEFUL, 1, true)), "if alone");
    }

    @Test
    void aSizeThatDoesNotFitIsMadeSmaller() {
        assertArrayEquals(new int[] {1}, allot(PLAIN, 3, job(TO_FOUR, 1, true)));
        assertArrayEquals(new int[] {2}, allot(PLAIN, 8, job(TO_FOUR, 1, true)));
        assertArrayEquals(new int[] {-1}, allot(PLAIN, 0, job(TO_FOUR, 1, true)));
    }

    /** An epoch takes 100 s on 4 GPUs, a round 60 s. */
    @Test
    void inTheMiddleOfAnEpochAJobIsBoundToItsSize() {
        Greedy greedy = greedy(8, job(TO_FOUR, 9, false), job(TO_FOUR, 9, true));
        assertEquals(50, greedy.toEpochEnd(0, 2, 3.5), 1e-6);
        assertEquals(100, greedy.toEpochEnd(0, 2, 3), 1e-6);
        assertTrue(greedy.isBound(0, 2, 3.7));
        assertFalse(greedy.isBound(0, 2, 3.5), "its end is less than a round away");
        assertFalse(greedy.isBound(0, -1, 3.7), "it waits");
        assertFalse(greedy.isBound(1, 2, 3.7), "it stops anywhere");
        greedy.reset();
        greedy.now[0] = 0;
        greedy.now[1] = -1;
        greedy.left[0] = 3.7;
        int[] sizes = new int[2];
        greedy.allot(PLAIN, sizes, true);
        assertArrayEquals(new int[] {0, 2}, sizes, "it keeps its one GPU");
    }

    @Test
    void whereNobodyMayStopThoseThatRunKeepWhatTheyHave() {
        Greedy greedy = greedy(4, job(TO_FOUR, 9, true), job(TO_FOUR, 1, true));
        greedy.reset();
        greedy.now[0] = 1;
        greedy.now[1] = -1;
        int[] sizes = new int[2];
        greedy.allot(PLAIN, sizes, false);
        assertArrayEquals(new int[] {1, 1}, sizes);
        greedy.allot(PLAIN, sizes, true);
        assertArrayEquals(new int[] {-1, 2}, sizes);
    }

    private static int[] allot(Greedy.Rule rule, int gpus, Trainee... jobs) {
        Greedy greedy = greedy(gpus, jobs);
        greedy.reset();
        Arrays.fill(greedy.now, -1);
        int[] sizes = new int[jobs.length];
        greedy.allot(rule, sizes, true);
        return sizes;
    }

    private static Greedy greedy(int gpus, Trainee... jobs) {
        int[] demand = new int[jobs.length];
        Arrays.fill(demand, 8);
        var shares = new Shares(List.of(jobs), demand, gpus, Map.of(), Map.of());
        return new Greedy(List.of(jobs), gpus, Duration.ofSeconds(60), shares);
    }

    private static Trainee job(Map<Integer, Double> seconds, double epochs, boolean stopsAnywhere) {
        Curve curve =
                Curve.fit(seconds.keySet().stream().sorted().toList(), seconds, 4, 1, List.of());
        double never = Double.POSITIVE_INFINITY;
        return new Trainee("job", "ann", 0, curve, epochs, Map.of(), 0, never, stopsAnywhere);
    }
}
