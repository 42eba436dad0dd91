package fairlead.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.job.GpuPart;
import fairlead.job.Resources;
import fairlead.job.Share;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;

class NodeStateTest {
    private static final long GPU_MEMORY = 1_000_000_000;
    private static final long HALF = GPU_MEMORY / 2;

    /** Two GPUs of known memory and one of unknown, the first of them half used. */
    private static final NodeState NODE =
            NodeState.empty(
                            new Node(
                                    "node",
                                    List.of(
                                            new Gpu(0, "A100", GPU_MEMORY),
                                            new Gpu(1, "A100", GPU_MEMORY),
                                            new Gpu(2, "declared", 0)),
                                    4,
                                    100,
                                    true))
                    .hold(ask(1, new GpuPart.Fraction(500), 0, 0), List.of(new Share(0, HALF)));

    @ParameterizedTest(name = "{0} CPUs and {1} bytes: {2}")
    @CsvSource({"4, 100, true", "5, 0, false", "0, 101, false", "0, 0, true"})
    void cpusAndMemoryAreGivenToTheLast(int cpus, long memory, boolean fits) {
        assertEquals(fits, NODE.fits(ask(0, GpuPart.WHOLE, cpus, memory)));
    }

    @Test
    void whoAsksForNothingFitsAlsoWhereMoreIsHeldThanThereIs() {
        NodeState over = NODE.hold(ask(0, GpuPart.WHOLE, 9, 900), List.of());
        assertEquals(true, over.fits(ask(1, GpuPart.WHOLE, 0, 0)));
        assertEquals(false, over.fits(ask(1, GpuPart.WHOLE, 1, 0)));
        assertEquals(false, over.fits(ask(1, GpuPart.WHOLE, 0, 1)));
    }

    @Test
    void aPartIsGivenOnTheFullestGpuThatHoldsIt() {
        assertEquals(shares(2, 300), NODE.shares(ask(1, new GpuPart.Fraction(300), 0, 0)));
        assertEquals(shares(0, HALF), NODE.shares(memory(HALF)));
        assertEquals(shares(1, HALF + 1), NODE.shares(memory(HALF + 1)));
        assertEquals(shares(1, GPU_MEMORY), NODE.shares(memory(GPU_MEMORY)));
        assertEquals(Optional.empty(), NODE.shares(memory(GPU_MEMORY + 1)));
    }

    @Test
    void aTypeIsAPartOfTheNameInAnyCase() {
        var typed = new Resources(1, GpuPart.WHOLE, Optional.of("a10"), 0, 0);
        assertEquals(Optional.of(List.of(Share.whole(1))), NODE.shares(typed));
        var other = new Resources(1, GpuPart.WHOLE, Optional.of("h100"), 0, 0);
        assertEquals(Optional.empty(), NODE.shares(other));
        assertEquals(false, NODE.isFree(other, List.of(Share.whole(1))));
        assertEquals(Optional.of("a10"), typed.withGpus(2, GpuPart.WHOLE).gpuType());
        assertEquals(Optional.empty(), typed.withGpus(0, GpuPart.WHOLE).gpuType());
    }

    @Test
    void amongEqualsTheFirstIsGiven() {
        NodeState fresh = NodeState.empty(NODE.node());
        assertEquals(shares(0, HALF + 1), fresh.shares(memory(HALF + 1)));
    }

    @Test
    void memoryIsNotGivenWhereNobodyKnowsHowMuchThereIs() {
        NodeState full = NODE.hold(memory(HALF), List.of(new Share(0, HALF), Share.whole(1)));
        assertEquals(Optional.empty(), full.shares(memory(HALF)));
        assertEquals(false, full.isFree(memory(HALF), List.of(new Share(2, HALF))));
    }

    @Test
    void exactlyWhatIsAskedForIsFree() {
        assertEquals(true, NODE.isFree(memory(HALF), List.of(new Share(0, HALF))));
        assertEquals(false, NODE.isFree(memory(HALF + 1), List.of(new Share(0, HALF + 1))));
        assertEquals(false, NODE.isFree(memory(HALF - 1), List.of(new Share(0, HALF))));
        Resources whole = ask(1, GpuPart.WHOLE, 0, 0);
        assertEquals(true, NODE.isFree(whole, List.of(Share.whole(1))));
        assertEquals(false, NODE.isFree(whole, List.of(Share.whole(0))));
        assertEquals(false, NODE.isFree(whole, List.of(Share.whole(3))));
        assertEquals(false, NODE.isFree(whole, List.of(new Share(1, GPU_MEMORY))));
    }

    @Test
    void whatIsReleasedIsFreeAgain() {
        Resources ask = ask(1, GpuPart.WHOLE, 2, 50).withPorts(List.of(80));
        NodeState held = NODE.hold(ask, List.of(Share.whole(1)));
        assertEquals(List.of(2), held.freeGpus());
        assertEquals(false, held.fits(ask(0, GpuPart.WHOLE, 0, 0).withPorts(List.of(80))));
        assertEquals(NODE, held.release(ask, List.of(Share.whole(1))));
    }

    @Test
    void nothingIsHeldBelowNothingThatIsNotThereAlready() {
        Resources ask = ask(1, GpuPart.WHOLE, 3, 60);
        NodeState once = NODE.holdWhatIsFree(ask, List.of(Share.whole(0)));
        assertEquals(List.of(0L, GPU_MEMORY, 1_000L), once.freeUnits());
        assertEquals(1, once.freeCpus());
        NodeState twice = once.holdWhatIsFree(ask, List.of(Share.whole(0)));
        assertEquals(0, twice.freeCpus());
        assertEquals(0, twice.freeMemoryBytes());
        NodeState below = NODE.hold(ask(0, GpuPart.WHOLE, 9, 0), List.of());
        assertEquals(-5, below.holdWhatIsFree(ask, List.of()).freeCpus());
    }

    private static Optional<List<Share>> shares(int gpu, long units) {
        return Optional.of(List.of(new Share(gpu, units)));
    }

    private static Resources memory(long bytes) {
        return ask(1, new GpuPart.Memory(bytes), 0, 0);
    }

    private static Resources ask(int gpus, GpuPart part, int cpus, long memory) {
        return new Resources(gpus, part, Optional.empty(), cpus, memory);
    }
}
