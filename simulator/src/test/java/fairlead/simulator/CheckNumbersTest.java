package fairlead.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

/** The simulator gives the numbers that are published or computed elsewhere for the same traces. */
class CheckNumbersTest {
    private static final Trace.Shape ONE_POOL = new Trace.Shape(1, 64);
    private static final Trace.Shape POLLUX = new Trace.Shape(16, 4);

    @Test
    void firstComeFirstServedGivesThePublishedMeanToTheLastDigit() throws Exception {
        assertEquals(72_901.63, philly("fifo").mean(), 0.005);
    }

    @Test
    void smallestRemainingGpuTimeGivesThePublishedMeanToTheLastDigit() throws Exception {
        assertEquals(33_461.43, philly("srgf").mean(), 0.005);
    }

    @Test
    void leastAttainedServiceIsWithinTwoPercentOfTiresias() throws Exception {
        assertEquals(34_975, philly("las").mean(), 0.02 * 34_975);
    }

    @Test
    void backfillIsWithinTwoPercentOfThePublishedMean() throws Exception {
        assertEquals(59_612, philly("backfill").mean(), 0.02 * 59_612);
    }

    @Test
    void shortestRemainingTimeGivesTheMeanOfAnIndependentProgram() throws Exception {
        assertEquals(36_154.95, philly("srtf").mean(), 0.005);
    }

    /** Means of the Pollux artifact's own Tiresias, which is another program in many details. */
    @ParameterizedTest
    @CsvSource({
        "pollux-0.5x-w1, 1450.9",
        "pollux-0.5x-w2, 2333.3",
        "pollux-1.0x-w1, 2473.7",
        "pollux-1.0x-w2, 5145.0",
        "pollux-1.0x-w3, 3876.3"
    })
    void leastAttainedServiceIsNearTiresiasOnTheWorkloadsOfPollux(String workload, double mean)
            throws Exception {
        Trace trace = Trace.profiled(Traces.POLLUX, workload, Traces.POLLUX_PROFILES, POLLUX);
        var setting = new Replay.Setting(POLLUX, Duration.ofSeconds(60), Duration.ofSeconds(30), 1);
        Report report = Report.of("las", trace, setting, new Replay("las", trace, setting).run());
        assertEquals(mean, report.mean(), 0.05 * mean);
    }

    private static Report philly(String policy) throws Exception {
        Trace trace = Trace.plain(Traces.PHILLY, ONE_POOL);
        var setting = new Replay.Setting(ONE_POOL, Duration.ZERO, Duration.ZERO, 1);
        return Report.of(policy, trace, setting, new Replay(policy, trace, setting).run());
    }
}
