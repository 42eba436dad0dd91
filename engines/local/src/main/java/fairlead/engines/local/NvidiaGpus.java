package fairlead.engines.local;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import fairlead.cluster.Gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The GPUs that the NVIDIA driver shows, read through its management library NVML. They are
 * numbered by PCI bus, which is CUDA's order only under CUDA_DEVICE_ORDER=PCI_BUS_ID.
 */
final class NvidiaGpus {
    static final String LIBRARY = "libnvidia-ml.so.1";

    private static final int NAME_BYTES = 96;

    /** nvmlMemory_t: total, free, used. */
    private static final long MEMORY_INFO_BYTES = 24;

    private final SymbolLookup library;

    private NvidiaGpus(SymbolLookup library) {
        this.library = library;
    }

    /** None when there is no driver, no such library, or no GPU that it can use. */
    static List<Gpu> read(String libraryName) {
        SymbolLookup library;
        try {
            // For ever: unloading a driver library while its threads may live is not worth the
            // memory.
            library = SymbolLookup.libraryLookup(libraryName, Arena.global());
        } catch (IllegalArgumentException _) {
            return List.of();
        }
        return new NvidiaGpus(library).read();
    }

    private List<Gpu> read() {
        try (var arena = Arena.ofConfined()) {
            // A driver of before 2012 has only older functions, and no GPU that is still of use.
            if (library.find("nvmlInit_v2").isEmpty()) return List.of();
            if ((int) function("nvmlInit_v2").invokeExact() != 0) return List.of();
            try {
                var count = arena.allocate(JAVA_INT);
                if ((int) function("nvmlDeviceGetCount_v2", ADDRESS).invokeExact(count) != 0) {
                    return List.of();
                }
                var gpus = new ArrayList<Gpu>();
                for (int i = 0; i < count.get(JAVA_INT, 0); i++) gpus.add(gpu(arena, i));
                return gpus;
            } finally {
                int _ = (int) function("nvmlShutdown").invokeExact();
            }
        } catch (Throwable problem) {
            throw Libc.miswired(problem);
        }
    }

    private Gpu gpu(Arena arena, int index) throws Throwable {
        var slot = arena.allocate(ADDRESS);
        var byIndex = function("nvmlDeviceGetHandleByIndex_v2", JAVA_INT, ADDRESS);
        if ((int) byIndex.invokeExact(index, slot) != 0) return new Gpu(index, "unknown", 0);
        var device = slot.get(ADDRESS, 0);
        var name = arena.allocate(NAME_BYTES);
        boolean named =
                (int)
                                function("nvmlDeviceGetName", ADDRESS, ADDRESS, JAVA_INT)
                                        .invokeExact(device, name, NAME_BYTES)
                        == 0;
        var memory = arena.allocate(MEMORY_INFO_BYTES, 8);
        boolean sized =
                (int)
                                function("nvmlDeviceGetMemoryInfo", ADDRESS, ADDRESS)
                                        .invokeExact(device, memory)
                        == 0;
        return new Gpu(
                index, named ? name.getString(0) : "unknown", sized ? memory.get(JAVA_LONG, 0) : 0);
    }

    private MethodHandle function(String name, MemoryLayout... types) {
        MemorySegment address =
                library.find(name)
                        .orElseThrow(
                                () ->
                                        new IllegalStateException(
                                                "the NVIDIA driver has no " + name));
        return Linker.nativeLinker()
                .downcallHandle(address, FunctionDescriptor.of(JAVA_INT, types));
    }
}
