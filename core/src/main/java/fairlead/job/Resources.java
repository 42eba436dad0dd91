package fairlead.job;

/**
 * What one task asks of its node. Zero means that the resource is not counted for this task, so it
 * is not limited either.
 */
public record Resources(int gpus, int cpus, long memoryBytes) {
    public Resources {
        SpecException.unless(
                gpus >= 0 && gpus <= Limits.GPUS_PER_TASK_MAX,
                "gpus",
                "must be 0 to " + Limits.GPUS_PER_TASK_MAX + ", but is " + gpus);
        SpecException.unless(
                cpus >= 0 && cpus <= Limits.CPUS_PER_TASK_MAX,
                "cpus",
                "must be 0 to " + Limits.CPUS_PER_TASK_MAX + ", but is " + cpus);
        SpecException.unless(
                memoryBytes >= 0, "memory", "must not be negative, but is " + memoryBytes);
    }
}
