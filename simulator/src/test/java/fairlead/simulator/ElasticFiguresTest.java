package fairlead.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

/** What docs/performance.md says of elastic on the workloads of Pollux, in virtual time. */
@Tag("slow")
class ElasticFiguresTest {
    private static final Trace.Shape SHAPE = new Trace.Shape(16, 4);
    private static final String[] FULL_LOAD = {
        "pollux-1.0x-w1", "pollux-1.0x-w2", "pollux-1.0x-w3", "pollux-1.0x-w4"
    };

    /** Of the same four: a linear program's, which no scheduler can beat. */
    private static final double[] BOUNDS = {1_672.4, 2_557.2, 2_072.5, 2_191.4};

    @Test
    void meanCompletionTimeIsWithinThirtyPercentOfTheBoundAndFewerJobsAreTreatedUnfairly()
            throws Exception {
        double sum = 0;
        double bounds = 0;
        for (int i = 0; i < FULL_LOAD.length; i++) {
            Report elastic = replay("elastic", FULL_LOAD[i], Trainees.Checkpoints.INSIDE);
            sum += elastic.mean();
            bounds += BOUNDS[i];
            for (String other : new String[] {"las", "srtf"}) {
                Report rival = replay(other, FULL_LOAD[i], Trainees.Checkpoints.INSIDE);
                assertTrue(
                        elastic.bothUnfair() < rival.bothUnfair(),
                        FULL_LOAD[i] + ": " + elastic + " against " + rival);
            }
        }
        assertTrue(sum <= 1.30 * bounds, sum / bounds + " times the bound");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pollux-0.5x-w1", "pollux-0.5x-w3"})
    void everyJobEndsWhenItCanStopAtTheEndOfAnEpochOnly(String workload) throws Exception {
        Report report = replay("elastic", workload, Trainees.Checkpoints.EPOCH);
        assertEquals(80, report.jobs());
    }

    private static Report replay(String policy, String workload, Trainees.Checkpoints checkpoints)
            throws Exception {
        Trace trace = Trace.profiled(Traces.POLLUX, workload, Traces.POLLUX_PROFILES, SHAPE);
        var setting =
                new Replay.Setting(
                        SHAPE,
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(30),
                        checkpoints,
                        1,
                        false);
        return Report.of(policy, trace, setting, new Replay(policy, trace, setting).run());
    }
}
