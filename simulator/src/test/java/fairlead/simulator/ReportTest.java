package fairlead.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

class ReportTest {
    private static final double EXACT = 1e-12;

    /**
     * Two GPUs. The wide job runs from 0 to 100, the two narrow ones, both there from 0, from 100
     * to 150 and from 100 to 200.
     *
     * <p>Unfinished: 3 until 100, 2 until 150, 1 until 200. Averages over their lives: 3, then (300
     * + 100) / 150 = 8/3, then (300 + 100 + 50) / 200 = 2.25.
     */
    @Test
    void fairnessIsAsComputedByHand() {
        Trace trace =
                ReplayTest.trace(
                        ReplayTest.job(0, 2, 100),
                        ReplayTest.job(0, 1, 50),
                        ReplayTest.job(0, 1, 100));
        var setting = new Replay.Setting(new Trace.Shape(1, 2), Duration.ZERO, Duration.ZERO, 1);
        var result =
                new Replay.Result(
                        List.of(
                                Duration.ofSeconds(100),
                                Duration.ofSeconds(150),
                                Duration.ofSeconds(200)),
                        0,
                        Duration.ofSeconds(350));
        Report report = Report.of("fifo", trace, setting, result);
        assertEquals("nothing", report.knows());
        assertEquals(150, report.mean(), EXACT);
        assertEquals(200, report.makespan(), EXACT);
        assertEquals(350.0 / 400, report.gpuUse(), EXACT);
        // Shockwave: 100 / (100 x 3/2) = 0.67, 150 / (50 x 4/3) = 2.25, 200 / (100 x 1.125) = 1.78.
        assertEquals(2.25, report.shockwaveWorst(), EXACT);
        assertEquals(2.0 / 3, report.shockwaveUnfair(), EXACT);
        // Themis: 100 / (100 x 2 x 3/2) = 0.33, and the same as above for one GPU.
        assertEquals(2.25, report.themisWorst(), EXACT);
        assertEquals(2.0 / 3, report.themisUnfair(), EXACT);
    }

    @Test
    void aWideJobIsOwedLessByThemisThanByShockwave() {
        Trace trace = ReplayTest.trace(ReplayTest.job(0, 4, 100), ReplayTest.job(0, 1, 300));
        var setting = new Replay.Setting(new Trace.Shape(1, 4), Duration.ZERO, Duration.ZERO, 1);
        var result =
                new Replay.Result(
                        List.of(Duration.ofSeconds(150), Duration.ofSeconds(300)),
                        0,
                        Duration.ofSeconds(700));
        Report report = Report.of("fifo", trace, setting, result);
        assertEquals(1.5, report.shockwaveWorst(), EXACT, "150 / (100 x 1): 2 jobs, 4 GPUs");
        assertEquals(0.5, report.shockwaveUnfair(), EXACT);
        assertEquals(1, report.themisWorst(), EXACT, "the narrow one; the wide one has 150 / 200");
        assertEquals(0, report.themisUnfair(), EXACT, "just as long as alone is fair");
    }

    @Test
    void aRestartIsPartOfRunningAlone() {
        Trace trace = ReplayTest.trace(ReplayTest.job(0, 1, 70));
        var setting =
                new Replay.Setting(new Trace.Shape(1, 1), Duration.ZERO, Duration.ofSeconds(30), 1);
        var result =
                new Replay.Result(List.of(Duration.ofSeconds(100)), 0, Duration.ofSeconds(100));
        assertEquals(1, Report.of("las", trace, setting, result).themisWorst(), EXACT);
    }

    @Test
    void aPercentileIsTheSmallestValueThatSoManyDoNotExceed() {
        double[] ten = IntStream.rangeClosed(1, 10).asDoubleStream().toArray();
        assertEquals(5, Report.percentile(ten, 50));
        assertEquals(9, Report.percentile(ten, 90));
        assertEquals(10, Report.percentile(ten, 99));
        double[] hundredOne = IntStream.rangeClosed(1, 101).asDoubleStream().toArray();
        assertEquals(51, Report.percentile(hundredOne, 50));
        assertEquals(91, Report.percentile(hundredOne, 90));
        assertEquals(100, Report.percentile(hundredOne, 99));
        assertEquals(7, Report.percentile(new double[] {7}, 50));
    }
}
