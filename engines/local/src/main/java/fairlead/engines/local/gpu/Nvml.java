package fairlead.engines.local.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import fairlead.cluster.Gpu;
import fairlead.engines.local.linux.Libc;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * NVML, the management library of the NVIDIA driver, called directly. While it is open the driver
 * keeps the GPUs awake.
 */
public final class Nvml implements GpuReader {
    static final String LIBRARY = "libnvidia-ml.so.1";

    private static final int NAME_BYTES = 96;
    private static final int INSUFFICIENT_SIZE = 7;

    /** nvmlMemory_t: total, free, used. */
    private static final long MEMORY_INFO_BYTES = 24;

    private static final long MEMORY_USED = 16;

    /** nvmlUtilization_t: of the GPU, of its memory; in percent. */
    private static final long UTILIZATION_BYTES = 8;

    /** nvmlProcessInfo_v2_t: pid, used memory, and the two numbers of a part of a GPU. */
    private static final long PROCESS_BYTES = 24;

    private static final long PROCESS_MEMORY = 8;

    /** What the driver says where it does not know. */
    private static final long UNKNOWN = -1;

    /** More than a GPU can serve; one that has them all the same is ignored. */
    private static final int PROCESSES_MAX = 4_096;

    private final SymbolLookup library;
    private final String processesFunction;

    private Nvml(SymbolLookup library, String processesFunction) {
        this.library = library;
        this.processesFunction = processesFunction;
    }

    /** Empty when there is no driver, no such library, or one too old to list processes. */
    public static Optional<Nvml> open(String libraryName) {
        SymbolLookup library;
        try {
            // For ever: unloading a driver library while its threads may live is not worth the
            // memory.
            library = SymbolLookup.libraryLookup(libraryName, Arena.global());
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
        if (library.find("nvmlInit_v2").isEmpty()) return Optional.empty();
        for (String version : List.of("_v3", "_v2")) {
            String function = "nvmlDeviceGetComputeRunningProcesses" + version;
            if (library.find(function).isEmpty()) continue;
            var nvml = new Nvml(library, function);
            return nvml.call("nvmlInit_v2") == 0 ? Optional.of(nvml) : Optional.empty();
        }
        return Optional.empty();
    }

    @Override
    public List<Gpu> gpus() throws IOException {
        var gpus = new ArrayList<Gpu>();
        try (var arena = Arena.ofConfined()) {
            int count = count(arena);
            for (int i = 0; i < count; i++) gpus.add(gpu(arena, i));
        }
        return gpus;
    }

    private Gpu gpu(Arena arena, int index) {
        var device = device(arena, index);
        if (device.isEmpty()) return new Gpu(index, "unknown", 0);
        var name = arena.allocate(NAME_BYTES);
        boolean named = call("nvmlDeviceGetName", device.get(), name, NAME_BYTES) == 0;
        var memory = arena.allocate(MEMORY_INFO_BYTES, 8);
        boolean sized = call("nvmlDeviceGetMemoryInfo", device.get(), memory) == 0;
        return new Gpu(
                index, named ? name.getString(0) : "unknown", sized ? memory.get(JAVA_LONG, 0) : 0);
    }

    @Override
    public List<Use> processes() throws IOException {
        var uses = new ArrayList<Use>();
        try (var arena = Arena.ofConfined()) {
            int gpus = count(arena);
            var room = arena.allocate(JAVA_INT);
            var found = arena.allocate(PROCESS_BYTES * PROCESSES_MAX, 8);
            for (int gpu = 0; gpu < gpus; gpu++) {
                var device = device(arena, gpu);
                if (device.isEmpty()) continue;
                room.set(JAVA_INT, 0, PROCESSES_MAX);
                int problem = call(processesFunction, device.get(), room, found);
                if (problem == INSUFFICIENT_SIZE) continue;
                if (problem != 0) {
                    throw new IOException(processesFunction + " of GPU " + gpu + ": " + problem);
                }
                int count = room.get(JAVA_INT, 0);
                for (int i = 0; i < count; i++) {
                    long at = i * PROCESS_BYTES;
                    long bytes = found.get(JAVA_LONG, at + PROCESS_MEMORY);
                    if (bytes == UNKNOWN) continue;
                    uses.add(new Use(found.get(JAVA_INT, at), Integer.toString(gpu), bytes));
                }
            }
        }
        return uses;
    }

    @Override
    public List<Load> loads() throws IOException {
        var loads = new ArrayList<Load>();
        try (var arena = Arena.ofConfined()) {
            int count = count(arena);
            var rates = arena.allocate(UTILIZATION_BYTES, 4);
            var memory = arena.allocate(MEMORY_INFO_BYTES, 8);
            for (int gpu = 0; gpu < count; gpu++) {
                var device = device(arena, gpu);
                if (device.isEmpty()) continue;
                boolean rated = call("nvmlDeviceGetUtilizationRates", device.get(), rates) == 0;
                boolean sized = call("nvmlDeviceGetMemoryInfo", device.get(), memory) == 0;
                loads.add(
                        new Load(
                                gpu,
                                rated
                                        ? OptionalInt.of(rates.get(JAVA_INT, 0))
                                        : OptionalInt.empty(),
                                sized
                                        ? OptionalLong.of(memory.get(JAVA_LONG, MEMORY_USED))
                                        : OptionalLong.empty()));
            }
        }
        return loads;
    }

    private int count(Arena arena) throws IOException {
        var count = arena.allocate(JAVA_INT);
        int problem = call("nvmlDeviceGetCount_v2", count);
        if (problem != 0) throw new IOException("nvmlDeviceGetCount_v2: " + problem);
        return count.get(JAVA_INT, 0);
    }

    private Optional<MemorySegment> device(Arena arena, int index) {
        var slot = arena.allocate(ADDRESS);
        return call("nvmlDeviceGetHandleByIndex_v2", index, slot) == 0
                ? Optional.of(slot.get(ADDRESS, 0))
                : Optional.empty();
    }

    @Override
    public void close() {
        call("nvmlShutdown");
    }

    /** Calls a function whose arguments are whole numbers and addresses; zero means success. */
    private int call(String name, Object... arguments) {
        var types = new MemoryLayout[arguments.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = arguments[i] instanceof Integer ? JAVA_INT : ADDRESS;
        }
        MemorySegment address =
                library.find(name)
                        .orElseThrow(
                                () ->
                                        new IllegalStateException(
                                                "the NVIDIA driver has no " + name));
        MethodHandle function =
                Linker.nativeLinker()
                        .downcallHandle(address, FunctionDescriptor.of(JAVA_INT, types));
        try {
            return (int) function.invokeWithArguments(arguments);
        } catch (Throwable problem) {
            throw Libc.miswired(problem);
        }
    }
}
