package fairlead.engines.local;

import fairlead.cluster.Gpu;
import fairlead.engines.local.gpu.GpuReader;
import fairlead.engines.local.linux.Cgroups;
import fairlead.engines.local.linux.MountScript;
import fairlead.engines.local.linux.Mounts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What this machine offers beyond plain processes. Tests put others in their place.
 *
 * @param gpus the real ones
 * @param driver opens the way to their driver
 */
record Facilities(
        Optional<Cgroups> cgroups,
        Mounts mounts,
        List<Gpu> gpus,
        Supplier<Optional<GpuReader>> driver) {
    private static final Path CGROUP_MOUNT = Path.of("/sys/fs/cgroup");
    private static final Path OWN_CGROUP = Path.of("/proc/self/cgroup");

    static Facilities ofThisMachine() throws IOException {
        return new Facilities(
                Cgroups.find(CGROUP_MOUNT, Files.readString(OWN_CGROUP)),
                new Mounts(MountScript.find()),
                gpus(GpuReader.open()),
                GpuReader::open);
    }

    /** None when the driver cannot say. */
    static List<Gpu> gpus(Optional<GpuReader> driver) {
        if (driver.isEmpty()) return List.of();
        try (var reader = driver.get()) {
            return reader.gpus();
        } catch (IOException _) {
            return List.of();
        }
    }
}
