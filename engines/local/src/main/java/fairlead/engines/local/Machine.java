package fairlead.engines.local;

import fairlead.cluster.Gpu;
import fairlead.cluster.Node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** This machine as a node. */
public final class Machine {
    /** The type of GPUs that exist in name only. */
    static final String DECLARED = Gpu.DECLARED;

    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final Path MEMORY = Path.of("/proc/meminfo");

    /** Inside a container this is the container's own limit, a number or "max". */
    private static final Path MEMORY_LIMIT = Path.of("/sys/fs/cgroup/memory.max");

    private Machine() {}

    static Node node(LocalSettings settings, List<Gpu> real) throws IOException {
        return new Node(
                Files.readString(HOST_NAME).strip(),
                gpus(settings, real),
                Runtime.getRuntime().availableProcessors(),
                memoryBytes(),
                true);
    }

    static List<Gpu> gpus(LocalSettings settings, List<Gpu> real) {
        if (settings.declaredGpus().isEmpty()) return real;
        int count = settings.declaredGpus().getAsInt();
        if (count <= real.size()) return real.subList(0, count);
        return IntStream.range(0, count)
                .mapToObj(i -> new Gpu(i, DECLARED, settings.declaredGpuMemoryBytes()))
                .toList();
    }

    /** Of the machine, or of the container that this process runs in. */
    public static long memoryBytes() throws IOException {
        long total = 0;
        for (String line : Files.readAllLines(MEMORY)) {
            if (line.startsWith("MemTotal:"))
                total = Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
        if (!Files.isReadable(MEMORY_LIMIT)) return total;
        String limit = Files.readString(MEMORY_LIMIT).strip();
        return limit.matches("\\d{1,18}") ? Math.min(total, Long.parseLong(limit)) : total;
    }
}
