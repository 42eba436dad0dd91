package fairlead.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What docs/performance.md says of sharing, on one kind of GPU, in virtual time; with shorter jobs,
 * which gain less than longer ones.
 */
@Tag("slow")
class PairFiguresTest {
    /** A pair that did not fit on a GPU when Gavel measured it fails the run. */
    @Test
    void sharingGetsAQuarterMoreWorkOutOfEachGpu() {
        var out = new ByteArrayOutputStream();
        var traces = Traces.POLLUX.getParent();
        int code =
                SimulatePairs.run(
                        List.of(
                                "--isolated",
                                traces.resolve("gavel_throughputs_isolated.csv").toString(),
                                "--colocated",
                                traces.resolve("gavel_throughputs_colocated.csv").toString(),
                                "--gpu-types",
                                "v100",
                                "--nodes",
                                "4",
                                "--gpus-per-node",
                                "4",
                                "--jobs",
                                "60",
                                "--epochs",
                                "12",
                                "--round",
                                "60s",
                                "--restart-cost",
                                "30s",
                                "--seed",
                                "1"),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        System.err);
        assertEquals(0, code);
        String[] row = out.toString(StandardCharsets.UTF_8).lines().toList().getLast().split(",");
        double ratio = Double.parseDouble(row[4]);
        assertTrue(ratio >= 1.25, "ratio: " + ratio);
    }
}
