package fairlead.policy.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Small cases worked out by hand; nodes have 4 GPUs, a restart costs 30 s. */
class SizesTest {
    /** Speed-up of 1, 2, 3 and 4 on one node, then 3.5 on 8: another node makes it slower. */
    private static final Map<Integer, Double> TO_ONE_NODE =
            Map.of(1, 400.0, 2, 200.0, 4, 100.0, 8, 115.0);

    private static final double NEVER = Double.POSITIVE_INFINITY;

    private static final Map<Integer, Double> LINEAR =
            Map.of(1, 800.0, 2, 400.0, 4, 200.0, 8, 100.0, 16, 50.0);

    @Test
    void aLoneJobGetsTheSizeAtWhichItIsFastestAndNoMore() {
        assertEquals(Map.of("a", 4), sizes(4, job("a", TO_ONE_NODE, 50)));
        assertEquals(Map.of("a", 16), sizes(4, job("a", LINEAR, 50)));
    }

    @Test
    void aShortJobGoesBeforeALongOne() {
        var plan = sizes(1, job("long", TO_ONE_NODE, 100), job("short", TO_ONE_NODE, 1));
        assertTrue(plan.get("short") >= plan.getOrDefault("long", 0), plan::toString);
    }

    @Test
    void aRunningJobThatIsAlmostDoneIsNotDisturbed() {
        Trainee ending = running("ending", LINEAR, 0.2, Map.of(0, 4), true);
        assertEquals(Map.of(0, 4), plan(4, ending).get("ending"));
    }

    @Test
    void aRunningJobGrowsIntoFreeNodesWhenMuchIsLeft() {
        Trainee early = running("early", LINEAR, 50, Map.of(0, 4), true);
        assertEquals(Map.of("early", 16), sizes(4, early));
    }

    @Test
    void aLongJobShrinksForAShortOneWhenItCanStopAnywhere() {
        Trainee hog = running("hog", LINEAR, 200, Map.of(0, 4, 1, 4), true);
        var plan = sizes(2, hog, job("short", TO_ONE_NODE, 1));
        assertTrue(plan.containsKey("short"), plan::toString);
        assertTrue(plan.getOrDefault("hog", 0) < 8, plan::toString);
    }

    @Test
    void aJobInTheMiddleOfALongEpochKeepsItsGpus() {
        Trainee hog = running("hog", LINEAR, 200.9, Map.of(0, 4, 1, 4), false);
        var plan = sizes(2, hog, job("short", TO_ONE_NODE, 1));
        assertEquals(Map.of("hog", 8), plan);
    }

    @Test
    void aHigherPriorityGoesFirstEvenIfLonger() {
        Trainee vip = trainee("vip", "anna", 1, TO_ONE_NODE, 100, Map.of(), true);
        Trainee other = trainee("other", "anna", 0, TO_ONE_NODE, 1, Map.of(), true);
        assertEquals(Map.of("vip", 4), sizes(1, vip, other));
        Trainee holder = trainee("other", "anna", 0, TO_ONE_NODE, 1, Map.of(0, 4), true);
        assertEquals(Map.of("vip", 4), sizes(1, vip, holder), "also if the other one runs");
    }

    @Test
    void ownersGetTheirSharesHoweverShortTheJobsOfOneAre() {
        Trainee[] jobs = new Trainee[9];
        for (int i = 0; i < 8; i++) {
            jobs[i] = trainee("a" + i, "anna", 0, TO_ONE_NODE, 1, Map.of(), true);
        }
        jobs[8] = trainee("b", "bert", 0, LINEAR, 100, Map.of(), true);
        assertEquals(8, sizes(4, jobs).get("b"), "half of 16 GPUs");
    }

    @Test
    void whatAnOwnerCannotUseGoesToTheOther() {
        Trainee small = trainee("a", "anna", 0, Map.of(1, 100.0), 100, Map.of(), true);
        Trainee large = trainee("b", "bert", 0, LINEAR, 100, Map.of(), true);
        assertEquals(Map.of("a", 1, "b", 8), sizes(4, small, large));
    }

    @Test
    void aHeavierOwnerGetsMore() {
        Trainee a = trainee("a", "anna", 0, LINEAR, 100, Map.of(), true);
        Trainee b = trainee("b", "bert", 0, LINEAR, 100, Map.of(), true);
        var setting = setting(3, Map.of("bert", 2.0));
        var plan = Sizes.of(List.of(a, b), setting);
        assertEquals(4, Trainee.gpus(plan.get("a")));
        assertEquals(8, Trainee.gpus(plan.get("b")));
    }

    @Test
    void aJobOfWhichNothingIsKnownDoesNotGetTheWholeCluster() {
        Curve unknown = Curve.fit(List.of(1, 2, 4, 8, 16, 32, 64), Map.of(), 4, 60, List.of());
        Trainee job = new Trainee("new", "anna", 0, unknown, 10, Map.of(), 0, NEVER, true);
        int got = Trainee.gpus(plan(16, job).get("new"));
        assertTrue(got >= 4 && got <= 16, "got " + got);
    }

    @Test
    void ofTwoEqualJobsTheOneThatWouldBeLateGoesFirst() {
        Trainee easy = due("a", 10_000);
        Trainee urgent = due("b", 600);
        assertEquals(Map.of("b", 4), sizes(1, easy, urgent));
        assertEquals(Map.of("a", 4), sizes(1, due("a", 600), due("b", 10_000)));
    }

    /** It would be first, but the two free GPUs lie on two nodes. */
    @Test
    void whatOneCountedOnWhoFindsNoPlaceGoesToThoseWhoWaitByPriority() {
        Map<Integer, Double> pair = Map.of(2, 10.0);
        Map<Integer, Double> one = Map.of(1, 100.0);
        Trainee first = trainee("first", "anna", 2, pair, 1, Map.of(), true);
        Trainee a = trainee("a", "anna", 0, one, 9, Map.of(), true);
        Trainee b = trainee("b", "anna", 0, one, 9, Map.of(), true);
        Trainee c = trainee("c", "anna", 1, one, 9, Map.of(), true);
        var setting =
                new Sizes.Setting(
                        4,
                        List.of(1, 1),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(60),
                        Map.of(),
                        Map.of(),
                        true);
        assertEquals(
                Map.of("c", Map.of(0, 1), "a", Map.of(1, 1)),
                Sizes.of(List.of(first, a, b, c), setting));
    }

    @Test
    void aThousandJobsArePlannedAndNoGpuStaysIdle() {
        Trainee[] jobs = new Trainee[1_000];
        for (int i = 0; i < jobs.length; i++) jobs[i] = job("job-" + i, LINEAR, 1 + i % 90);
        int held = sizes(100, jobs).values().stream().mapToInt(Integer::intValue).sum();
        assertEquals(400, held);
    }

    @Test
    void noJobsMeanNoPlan() {
        assertTrue(plan(2).isEmpty());
        assertFalse(plan(2, job("a", LINEAR, 1)).isEmpty());
    }

    static Trainee job(String id, Map<Integer, Double> curve, double epochs) {
        return trainee(id, "anna", 0, curve, epochs, Map.of(), true);
    }

    /** Takes 400 s on 4 GPUs, all of a node. */
    private static Trainee due(String id, double seconds) {
        Curve curve = Curve.fit(List.of(4), Map.of(4, 100.0), 4, 1, List.of());
        return new Trainee(id, "anna", 0, curve, 4, Map.of(), 0, seconds, true);
    }

    private static Trainee running(
            String id,
            Map<Integer, Double> curve,
            double epochs,
            Map<Integer, Integer> place,
            boolean stopsAnywhere) {
        return trainee(id, "anna", 0, curve, epochs, place, stopsAnywhere);
    }

    private static Trainee trainee(
            String id,
            String owner,
            int priority,
            Map<Integer, Double> curve,
            double epochs,
            Map<Integer, Integer> place,
            boolean stopsAnywhere) {
        var sizes = List.copyOf(curve.keySet());
        Curve measured = Curve.fit(sizes, curve, Collections.max(sizes), 1, List.of());
        return new Trainee(id, owner, priority, measured, epochs, place, 0, NEVER, stopsAnywhere);
    }

    private static Map<String, Map<Integer, Integer>> plan(int nodes, Trainee... jobs) {
        return Sizes.of(Arrays.asList(jobs), setting(nodes, Map.of()));
    }

    private static Map<String, Integer> sizes(int nodes, Trainee... jobs) {
        var sizes = new TreeMap<String, Integer>();
        plan(nodes, jobs).forEach((id, place) -> sizes.put(id, Trainee.gpus(place)));
        return sizes;
    }

    private static Sizes.Setting setting(int nodes, Map<String, Double> weights) {
        return new Sizes.Setting(
                4,
                Collections.nCopies(nodes, 4),
                Duration.ofSeconds(30),
                Duration.ofSeconds(60),
                weights,
                Map.of(),
                true);
    }
}
