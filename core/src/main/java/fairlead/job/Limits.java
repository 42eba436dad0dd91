package fairlead.job;

/** Bounds of a spec. Each keeps one careless submit from hurting everyone else. */
public final class Limits {
    /** More tasks than any gang on record here needs; keeps one observation small. */
    public static final int TASKS_PER_JOB_MAX = 10_000;

    public static final int ROLES_PER_JOB_MAX = 100;
    public static final int GPUS_PER_TASK_MAX = 4_096;
    public static final int CPUS_PER_TASK_MAX = 65_536;
    public static final int RETRIES_MAX = 1_000;
    public static final int PRIORITY_MAX = 1_000_000;

    /**
     * Linux refuses a longer single argument or environment entry (MAX_ARG_STRLEN less the NUL).
     */
    public static final int ARGUMENT_BYTES_MAX = 128 * 1024 - 1;

    /** Half of Linux' usual limit for arguments and environment together. */
    public static final int COMMAND_AND_ENVIRONMENT_BYTES_MAX = 1024 * 1024;

    public static final int ENVIRONMENT_ENTRIES_MAX = 1_000;
    public static final int JOBS_PER_REQUEST_MAX = 10_000;

    /** An array counts as one, so more are a script's mistake. */
    public static final int AFTER_MAX = 100;

    private Limits() {}
}
