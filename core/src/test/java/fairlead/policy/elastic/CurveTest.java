package fairlead.policy.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class CurveTest {
    private static final List<Integer> SIZES = List.of(1, 2, 3, 4, 6, 8, 12, 16);

    @Test
    void aMeasuredSizeIsTakenAsItIsAlsoWhereMoreGpusAreSlower() {
        Curve curve = curve(Map.of(4, 280.0, 8, 524.0), 4);
        assertEquals(280, at(curve, 4));
        assertEquals(524, at(curve, 8));
        assertTrue(curve.isMeasured(curve.indexOf(8)));
        assertEquals(4, curve.fastest());
    }

    @Test
    void betweenTwoMeasuredSizesLiesTheLineThroughThem() {
        Curve curve = curve(Map.of(1, 400.0, 4, 100.0), 4);
        assertEquals(200, at(curve, 2), 1e-6);
        assertEquals(400.0 / 3, at(curve, 3), 1e-6);
    }

    @Test
    void belowTheSmallestMeasuredSizeAnEpochTakesLongerButLessGpuTime() {
        Curve curve = curve(Map.of(8, 100.0), 8);
        for (int k = 0; curve.size(k) < 8; k++) {
            assertTrue(curve.seconds(k) > curve.seconds(k + 1), "at " + curve.size(k));
            double gpuTime = curve.size(k) * curve.seconds(k);
            assertTrue(gpuTime < curve.size(k + 1) * curve.seconds(k + 1), "at " + curve.size(k));
        }
        assertEquals(600, at(curve, 1), 1e-6, "8 GPUs at 75 % are worth 6");
    }

    @Test
    void beyondTheGpusThatTheUserAskedForLittleIsPromised() {
        Curve curve = curve(Map.of(8, 100.0), 8);
        assertTrue(at(curve, 16) < 100);
        assertTrue(at(curve, 16) > 80, "twice the GPUs: " + at(curve, 16));
    }

    @Test
    void nothingMeasuredMeansTheGuessAtTheDeclaredGpus() {
        Curve curve = curve(Map.of(), 8);
        assertEquals(60, at(curve, 8), 1e-6);
        assertEquals(360, at(curve, 1), 1e-6);
    }

    @Test
    void anEpochThatShouldBeOverMakesTheGuessLonger() {
        var running = List.of(new Trainee.Stint(8, 600));
        Curve curve = Curve.fit(SIZES, Map.of(), 8, 60, running);
        assertEquals(1_000, at(curve, 8), 1e-6, "600 s are thought to be 60 % of it");
        assertEquals(0.6, curve.part(running), 1e-6);
    }

    @Test
    void aRunningEpochIsNeverThoughtToBeDone() {
        Curve curve = curve(Map.of(8, 100.0), 8);
        assertEquals(0.5, curve.part(List.of(new Trainee.Stint(8, 50))), 1e-6);
        assertEquals(0.95, curve.part(List.of(new Trainee.Stint(8, 900))), 1e-6);
    }

    @Test
    void timeAtSeveralSizesAddsUpByTheirPace() {
        Curve curve = curve(Map.of(1, 400.0, 4, 100.0), 4);
        var running = List.of(new Trainee.Stint(1, 100), new Trainee.Stint(4, 50));
        assertEquals(0.75, curve.part(running), 1e-6);
    }

    @Test
    void aSizeThatTheJobMayNotHaveIsNotInTheCurve() {
        Curve curve = curve(Map.of(5, 10.0), 8);
        assertEquals(-1, curve.indexOf(5));
        assertEquals(SIZES, curve.sizes());
        assertEquals(60, at(curve, 8), 1e-6, "and what was measured there tells nothing");
    }

    @Test
    void aCurveWithoutSizesOrWithoutTimesIsRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> Curve.fit(List.of(), Map.of(), 1, 60, List.of()));
        assertThrows(
                IllegalArgumentException.class, () -> Curve.fit(SIZES, Map.of(), 1, 0, List.of()));
        assertThrows(
                IllegalArgumentException.class,
                () -> Curve.fit(SIZES, Map.of(4, 0.0), 1, 60, List.of()));
    }

    private static Curve curve(Map<Integer, Double> measured, int declared) {
        return Curve.fit(SIZES, measured, declared, 60, List.of());
    }

    private static double at(Curve curve, int gpus) {
        return curve.seconds(curve.indexOf(gpus));
    }
}
