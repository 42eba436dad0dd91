package fairlead.job;

import java.util.List;
import java.util.Optional;

/**
 * What one task asks of its node. Zero means that the resource is not counted for this task, so it
 * is not limited either.
 *
 * @param gpus how many devices it sees; one for a part of a GPU
 * @param gpuType only GPUs whose type contains this text, in any case
 * @param ports numbers that no other task on the node may have
 * @param labels of the node, each {@code key=value}: only nodes that have all of them will do
 */
public record Resources(
        int gpus,
        GpuPart part,
        Optional<String> gpuType,
        int cpus,
        long memoryBytes,
        List<Integer> ports,
        List<String> labels) {
    /** A GPU's worth, in the unit in which the fair order counts. */
    public static final int GPU = 1_000;

    private static final int TYPE_CHARACTERS_MAX = 63;
    private static final int LABELS_MAX = 32;

    public Resources {
        ports = List.copyOf(ports);
        labels = List.copyOf(labels);
        SpecException.unless(
                labels.size() <= LABELS_MAX,
                "container.pod",
                "selects nodes by " + labels.size() + " labels; the limit is " + LABELS_MAX);
        SpecException.unless(
                gpus >= 0 && gpus <= Limits.GPUS_PER_TASK_MAX,
                "gpus",
                "must be 0 to " + Limits.GPUS_PER_TASK_MAX + ", but is " + gpus);
        SpecException.unless(
                gpus == 1 || part instanceof GpuPart.Whole,
                "gpu",
                "is a part of a GPU, so a task can have only one of it");
        gpuType.ifPresent(
                type ->
                        SpecException.unless(
                                gpus > 0 && !type.isBlank() && type.length() <= TYPE_CHARACTERS_MAX,
                                "gpuType",
                                "must be 1 to 63 characters, for a task with GPUs"));
        SpecException.unless(
                cpus >= 0 && cpus <= Limits.CPUS_PER_TASK_MAX,
                "cpus",
                "must be 0 to " + Limits.CPUS_PER_TASK_MAX + ", but is " + cpus);
        SpecException.unless(
                memoryBytes >= 0, "memory", "must not be negative, but is " + memoryBytes);
    }

    /** Without ports of its own. */
    public Resources(int gpus, GpuPart part, Optional<String> gpuType, int cpus, long memoryBytes) {
        this(gpus, part, gpuType, cpus, memoryBytes, List.of(), List.of());
    }

    /** Whole GPUs of any type. */
    public Resources(int gpus, int cpus, long memoryBytes) {
        this(gpus, GpuPart.WHOLE, Optional.empty(), cpus, memoryBytes);
    }

    /** The same with other GPUs. */
    public Resources withGpus(int other, GpuPart otherPart) {
        Optional<String> type = other == 0 ? Optional.empty() : gpuType;
        return new Resources(other, otherPart, type, cpus, memoryBytes, ports, labels);
    }

    /** The same with other CPUs. */
    public Resources withCpus(int other) {
        return new Resources(gpus, part, gpuType, other, memoryBytes, ports, labels);
    }

    /** The same with other ports. */
    public Resources withPorts(List<Integer> other) {
        return new Resources(gpus, part, gpuType, cpus, memoryBytes, other, labels);
    }

    /** The same on nodes with these labels. */
    public Resources withLabels(List<String> other) {
        return new Resources(gpus, part, gpuType, cpus, memoryBytes, ports, other);
    }

    /**
     * Thousandths of a GPU. A part given as memory counts as a whole GPU: how large a part it is
     * depends on the GPU that it gets.
     */
    public int milliGpus() {
        return part instanceof GpuPart.Fraction(int thousandths) ? thousandths : gpus * GPU;
    }
}
