package fairlead.engines.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.Gpu;
import fairlead.engine.Observation;
import fairlead.engines.local.gpu.GpuReader;
import fairlead.engines.local.gpu.GpuReader.Use;
import fairlead.engines.local.gpu.NvidiaSmi;
import fairlead.engines.local.gpu.Nvml;
import fairlead.engines.local.linux.Mounts;
import fairlead.job.AttemptId;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** What the driver tells of processes on GPUs, and whose they are taken to be. */
class GpuMemoryTest {
    private static final List<Gpu> GPUS = List.of(new Gpu(0, "H200", 9), new Gpu(1, "H200", 9));
    private static final long GIB = 1L << 30;

    @TempDir Path home;
    @TempDir Path folder;

    /** A driver that tells what the test has set. */
    private static class FakeDriver implements GpuReader {
        @Override
        public List<Load> loads() {
            return List.of(new Load(0, OptionalInt.of(87), OptionalLong.of(5L << 30)));
        }

        volatile List<Use> uses = List.of();
        final AtomicInteger opened = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();

        Optional<GpuReader> open() {
            opened.incrementAndGet();
            return Optional.of(this);
        }

        @Override
        public List<Gpu> gpus() {
            return GPUS;
        }

        @Override
        public List<Use> processes() throws IOException {
            return uses;
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    @Test
    void theMostThatAnAttemptHeldOfOneGpuIsTold() throws Exception {
        var driver = new FakeDriver();
        try (var engine = open(LocalSettings.at(home), driver)) {
            var one =
                    launch(engine, 1, "setsid sh -c 'echo $$ >daemon; exec sleep 600' & sleep 600");
            var other = launch(engine, 2, "env -i sh -c 'echo $$ >bare; sleep 600'; true");
            int daemon = pid("daemon");
            int shim = shim(one);
            int bare = pid("bare");
            int stranger = (int) ProcessHandle.current().pid();
            driver.uses =
                    List.of(
                            new Use(shim, "0", GIB),
                            new Use(daemon, "0", 2 * GIB),
                            new Use(daemon, "1", GIB),
                            new Use(bare, "1", 5 * GIB),
                            new Use(stranger, "1", 7 * GIB),
                            new Use(1 << 30, "1", 9 * GIB));
            Eventually.when(() -> seen(engine, one).gpuMemoryBytes() == 3 * GIB);
            assertEquals(5 * GIB, seen(engine, other).gpuMemoryBytes());
            driver.uses = List.of(new Use(shim, "0", 2 * GIB), new Use(bare, "0", 6 * GIB));
            Eventually.when(() -> seen(engine, other).gpuMemoryBytes() == 6 * GIB);
            assertEquals(3 * GIB, seen(engine, one).gpuMemoryBytes(), "a peak does not sink");
            assertEquals(1, driver.opened.get());
            engine.forget(one);
            engine.forget(other);
            Eventually.when(() -> driver.closed.get() == 1);
        }
    }

    @Test
    void aDriverThatHangsHoldsUpNobody() throws Exception {
        var asked = new CountDownLatch(1);
        var never = new CountDownLatch(1);
        var driver =
                new FakeDriver() {
                    @Override
                    public List<Use> processes() throws IOException {
                        asked.countDown();
                        try {
                            never.await();
                        } catch (InterruptedException _) {
                            Thread.currentThread().interrupt();
                        }
                        return List.of();
                    }
                };
        try (var engine = open(LocalSettings.at(home), driver)) {
            var attempt = launch(engine, 1, "exit 3");
            asked.await();
            Eventually.when(() -> seen(engine, attempt).exits().size() == 1);
            engine.forget(attempt);
        }
    }

    @Test
    void declaredGpusAreNotMeasured() throws Exception {
        var driver = new FakeDriver();
        try (var engine = open(LocalSettings.at(home).withDeclaredGpus(3), driver)) {
            var attempt = launch(engine, 1, "sleep 3");
            Eventually.when(() -> seen(engine, attempt).exits().size() == 1);
            assertEquals(0, driver.opened.get());
            engine.forget(attempt);
        }
    }

    @Test
    void theToolOfTheDriverIsUnderstood() throws Exception {
        var smi =
                tool(
                        """
                        case $1 in
                        --query-gpu=*)
                            echo '0, NVIDIA H200, 143771'
                            echo '1, NVIDIA A100, 40 GB, [N/A]'
                            ;;
                        --query-compute-apps=*) echo '12, GPU-a, 512'; echo '13, GPU-b, [N/A]' ;;
                        esac
                        """);
        assertEquals(
                List.of(
                        new Gpu(0, "NVIDIA H200", 143_771L << 20),
                        new Gpu(1, "NVIDIA A100, 40 GB", 0)),
                smi.gpus());
        assertEquals(List.of(new Use(12, "GPU-a", 512L << 20)), smi.processes());
    }

    @Test
    void aToolThatFailsSaysWhy() throws Exception {
        var smi = tool("echo 'NVIDIA-SMI has failed'; exit 9");
        var problem = assertThrows(IOException.class, smi::processes);
        assertTrue(problem.getMessage().endsWith("NVIDIA-SMI has failed"), problem.getMessage());
        assertEquals(List.of(), Facilities.gpus(Optional.of(smi)));
    }

    private NvidiaSmi tool(String script) throws IOException {
        Path program = Files.writeString(folder.resolve("nvidia-smi"), "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new NvidiaSmi(program);
    }

    /**
     * A library with the functions and structures of nvml.h, compiled by the machine's C compiler.
     */
    @Test
    void theLibraryOfTheDriverIsUnderstood() throws Exception {
        Path source = folder.resolve("nvml.c");
        Files.writeString(
                source,
                """
                #include <string.h>
                typedef struct { int index; } *nvmlDevice_t;
                typedef struct { unsigned long long total, free, used; } nvmlMemory_t;
                typedef struct {
                    unsigned int pid;
                    unsigned long long usedGpuMemory;
                    unsigned int gpuInstanceId, computeInstanceId;
                } nvmlProcessInfo_t;
                static struct { int index; } devices[2] = {{0}, {1}};
                static int ready;
                int nvmlInit_v2(void) { ready++; return 0; }
                int nvmlShutdown(void) { ready--; return 0; }
                int nvmlDeviceGetCount_v2(unsigned int *count) { *count = 2; return ready ? 0 : 1; }
                int nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device) {
                    *device = (nvmlDevice_t)&devices[index];
                    return 0;
                }
                int nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length) {
                    strncpy(name, device->index ? "NVIDIA B" : "NVIDIA A", length);
                    return 0;
                }
                int nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
                    memory->total = 80000000000ULL + device->index;
                    return 0;
                }
                int nvmlDeviceGetComputeRunningProcesses_v3(
                        nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_t *infos) {
                    if (*count < 2) return 7;
                    *count = device->index ? 1 : 2;
                    infos[0] = (nvmlProcessInfo_t){100 + device->index, 5000000000ULL, 1, 2};
                    infos[1] = (nvmlProcessInfo_t){200, ~0ULL, 3, 4};
                    return 0;
                }
                """);
        Path library = folder.resolve("libnvidia-ml.so.1");
        LocalEngineTest.output(
                "cc", "-shared", "-fPIC", "-o", library.toString(), source.toString());
        try (var nvml = Nvml.open(library.toString()).orElseThrow()) {
            assertEquals(
                    List.of(
                            new Gpu(0, "NVIDIA A", 80_000_000_000L),
                            new Gpu(1, "NVIDIA B", 80_000_000_001L)),
                    nvml.gpus());
            assertEquals(
                    List.of(new Use(100, "0", 5_000_000_000L), new Use(101, "1", 5_000_000_000L)),
                    nvml.processes());
        }
        var reopened = Nvml.open(library.toString()).orElseThrow();
        reopened.close();
        assertThrows(IOException.class, reopened::processes, "it is closed");
    }

    private static LocalEngine open(LocalSettings settings, FakeDriver driver) throws Exception {
        return LocalEngine.open(
                settings,
                new Facilities(Optional.empty(), new Mounts(Optional.empty()), GPUS, driver::open));
    }

    private AttemptId launch(LocalEngine engine, int number, String script) throws Exception {
        var launch =
                Jobs.single(
                        CrashingServer.job(number), folder.toString(), List.of("sh", "-c", script));
        engine.launch(launch);
        return launch.attempt();
    }

    private int shim(AttemptId attempt) throws IOException {
        Path claim = home.resolve("attempts").resolve(attempt.job() + "/1.main-0.task");
        return Integer.parseInt(Files.readString(claim).strip());
    }

    private int pid(String file) throws Exception {
        Path path = folder.resolve(file);
        Eventually.when(() -> Files.exists(path) && Files.readString(path).endsWith("\n"));
        return Integer.parseInt(Files.readString(path).strip());
    }

    private static Observation seen(LocalEngine engine, AttemptId attempt) throws Exception {
        return engine.observe().stream()
                .filter(seen -> seen.attempt().equals(attempt))
                .findFirst()
                .orElseThrow();
    }
}
