package fairlead.dialects.openpai;

import java.util.Map;
import java.util.TreeMap;

/**
 * OpenPAI's names for exits, with the code that its interface shows as appExitCode (item O40). The
 * launcher's inner codes, such as 174 to 204, are no names for what a user's own command exits
 * with: in the old program such a command met them by accident.
 */
public enum ExitStatus {
    SUCCEEDED(0, ExitType.SUCCEEDED, "Succeeded"),
    LAUNCHER_EXIT_STATUS_UNDEFINED(
            177,
            ExitType.UNKNOWN,
            "ExitStatus undefined in Launcher, maybe UserApplication itself failed."),
    LAUNCHER_STOP_FRAMEWORK_REQUESTED(
            214, ExitType.NON_TRANSIENT, "Stopped because a user has asked for it."),
    AM_INTERNAL_TRANSIENT_CONFLICT_ERROR(
            215, ExitType.TRANSIENT_CONFLICT, "Not all tasks could be placed in time."),
    CONTAINER_ABORTED(
            -100, ExitType.TRANSIENT_NORMAL, "The task was lost with its process or its machine."),
    CONTAINER_PREEMPTED(-102, ExitType.TRANSIENT_NORMAL, "The place was needed for another job."),
    CONTAINER_PHYSICAL_MEMORY_EXCEEDED(
            -104, ExitType.NON_TRANSIENT, "The task took more memory than it had asked for."),
    CONTAINER_PORT_CONFLICT(
            -210, ExitType.TRANSIENT_NORMAL, "A port of the task was already in use."),
    USER_APP_TRANSIENT_ERROR(
            205, ExitType.TRANSIENT_NORMAL, "The command calls its failure transient."),
    USER_APP_NON_TRANSIENT_ERROR(
            206, ExitType.NON_TRANSIENT, "The command says that it would fail again."),
    USER_APP_FORCE_KILLED(137, ExitType.TRANSIENT_NORMAL, "The command was killed (SIGKILL)."),
    USER_APP_TERMINATED(143, ExitType.TRANSIENT_NORMAL, "The command was terminated (SIGTERM)."),
    USER_APP_LOST(154, ExitType.TRANSIENT_NORMAL, "The command ended without an exit code.");

    private static final Map<Integer, ExitStatus> BY_USER_CODE = new TreeMap<>();

    static {
        for (ExitStatus status : values()) {
            if (status == SUCCEEDED || status.name().startsWith("USER_APP_")) {
                BY_USER_CODE.put(status.code, status);
            }
        }
    }

    private final int code;
    private final ExitType type;
    private final String explanation;

    ExitStatus(int code, ExitType type, String explanation) {
        this.code = code;
        this.type = type;
        this.explanation = explanation;
    }

    public int code() {
        return code;
    }

    public ExitType type() {
        return type;
    }

    public String explanation() {
        return explanation;
    }

    public static ExitStatus of(Ending ending) {
        return switch (ending) {
            case Ending.Exited(int code) ->
                    BY_USER_CODE.getOrDefault(code, LAUNCHER_EXIT_STATUS_UNDEFINED);
            case Ending.Lost _ -> CONTAINER_ABORTED;
            case Ending.Preempted _ -> CONTAINER_PREEMPTED;
            case Ending.MemoryExceeded _ -> CONTAINER_PHYSICAL_MEMORY_EXCEEDED;
            case Ending.PortTaken _ -> CONTAINER_PORT_CONFLICT;
            case Ending.GangTimedOut _ -> AM_INTERNAL_TRANSIENT_CONFLICT_ERROR;
            case Ending.StopRequested _ -> LAUNCHER_STOP_FRAMEWORK_REQUESTED;
        };
    }

    /** The exit codes of commands that are not {@link ExitType#UNKNOWN}, for a job's retries. */
    public static Map<Integer, ExitType> userFailures() {
        var types = new TreeMap<Integer, ExitType>();
        BY_USER_CODE.forEach((code, status) -> types.put(code, status.type));
        types.remove(SUCCEEDED.code);
        return types;
    }
}
