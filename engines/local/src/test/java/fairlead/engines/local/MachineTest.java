package fairlead.engines.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import fairlead.cluster.Gpu;
import fairlead.engines.local.gpu.GpuReader;
import fairlead.engines.local.gpu.Nvml;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Which GPUs a node has. */
class MachineTest {
    private static final LocalSettings SETTINGS = LocalSettings.at(Path.of("/somewhere"));
    private static final List<Gpu> REAL = List.of(new Gpu(0, "H200", 9), new Gpu(1, "H200", 9));

    @Test
    void withoutTheDriversLibraryThereAreNoGpus() {
        assertEquals(Optional.empty(), Nvml.open("libno-such-library.so.1"));
        assertEquals(List.of(), Facilities.gpus(Optional.empty()));
    }

    @Test
    void aLibraryThatIsNotTheDriversGivesNoGpus() {
        assertEquals(Optional.empty(), Nvml.open("libm.so.6"));
    }

    @Test
    void theDriverShowsItsGpus() {
        assumeTrue(Files.exists(Path.of("/dev/nvidia0")), "no NVIDIA GPU on this machine");
        var gpus = Facilities.gpus(GpuReader.open());
        assertEquals(0, gpus.getFirst().index());
        assertTrue(gpus.getFirst().type().contains("NVIDIA"), gpus::toString);
        assertTrue(gpus.getFirst().memoryBytes() > 1L << 30, gpus::toString);
    }

    @Test
    void realGpusCountUnlessOthersAreDeclared() {
        assertEquals(REAL, Machine.gpus(SETTINGS, REAL));
        assertEquals(List.of(), Machine.gpus(SETTINGS.withDeclaredGpus(0), REAL));
        assertEquals(REAL.subList(0, 1), Machine.gpus(SETTINGS.withDeclaredGpus(1), REAL));
        var declared = Machine.gpus(SETTINGS.withDeclaredGpus(3), REAL);
        assertEquals(3, declared.size());
        assertEquals(new Gpu(2, "declared", 0), declared.getLast());
        var sized = SETTINGS.withDeclaredGpus(3).withDeclaredGpuMemory(16L << 30);
        assertEquals(new Gpu(2, "declared", 16L << 30), Machine.gpus(sized, REAL).getLast());
    }

    @Test
    void badSettingsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> SETTINGS.withDeclaredGpus(-1));
        assertThrows(IllegalArgumentException.class, () -> SETTINGS.withLogBytesMax(1));
    }
}
