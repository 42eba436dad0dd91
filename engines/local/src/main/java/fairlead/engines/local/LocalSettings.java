package fairlead.engines.local;

import fairlead.engine.MoreVariables;
import fairlead.engines.local.container.ContainerSettings;

import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * What an admin can set for the local engine.
 *
 * @param home the engine's own folder; whatever outlives a restart is in it
 * @param declaredGpus how many GPUs to schedule: the first real ones where there are as many,
 *     otherwise that many which exist in name only; empty: what the NVIDIA driver shows
 * @param declaredGpuMemoryBytes of each GPU that exists in name only; zero when unknown
 * @param logBytesMax how much of a task's log is kept; the oldest part goes first
 * @param more that tasks find beside the usual variables
 */
public record LocalSettings(
        Path home,
        OptionalInt declaredGpus,
        long declaredGpuMemoryBytes,
        long logBytesMax,
        ContainerSettings containers,
        MoreVariables more) {
    /** Weeks of ordinary training output. */
    public static final long LOG_BYTES_MAX_DEFAULT = 256L << 20;

    /** Below this a log would lose its own last line to the granularity of file systems. */
    static final long LOG_BYTES_MAX_LEAST = 64L << 10;

    public LocalSettings {
        home = home.toAbsolutePath().normalize();
        if (declaredGpus.isPresent() && declaredGpus.getAsInt() < 0) {
            throw new IllegalArgumentException(
                    "declaredGpus is negative: " + declaredGpus.getAsInt());
        }
        if (declaredGpuMemoryBytes < 0) {
            throw new IllegalArgumentException(
                    "declaredGpuMemoryBytes is negative: " + declaredGpuMemoryBytes);
        }
        if (logBytesMax < LOG_BYTES_MAX_LEAST) {
            throw new IllegalArgumentException(
                    "logBytesMax must be at least "
                            + LOG_BYTES_MAX_LEAST
                            + ", but is "
                            + logBytesMax);
        }
    }

    /** Without containers: what else is installed on the machine changes nothing. */
    public static LocalSettings at(Path home) {
        return new LocalSettings(
                home,
                OptionalInt.empty(),
                0,
                LOG_BYTES_MAX_DEFAULT,
                ContainerSettings.NEVER,
                MoreVariables.NONE);
    }

    public LocalSettings withDeclaredGpus(int count) {
        return new LocalSettings(
                home, OptionalInt.of(count), declaredGpuMemoryBytes, logBytesMax, containers, more);
    }

    public LocalSettings withDeclaredGpuMemory(long bytes) {
        return new LocalSettings(home, declaredGpus, bytes, logBytesMax, containers, more);
    }

    public LocalSettings withLogBytesMax(long bytes) {
        return new LocalSettings(
                home, declaredGpus, declaredGpuMemoryBytes, bytes, containers, more);
    }

    public LocalSettings withContainers(ContainerSettings other) {
        return new LocalSettings(
                home, declaredGpus, declaredGpuMemoryBytes, logBytesMax, other, more);
    }

    public LocalSettings with(MoreVariables others) {
        return new LocalSettings(
                home, declaredGpus, declaredGpuMemoryBytes, logBytesMax, containers, others);
    }
}
