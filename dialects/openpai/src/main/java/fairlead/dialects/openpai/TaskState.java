package fairlead.dialects.openpai;

import java.util.Optional;

/** Where a task stands, in OpenPAI's words (item O51). */
public enum TaskState {
    TASK_WAITING,
    CONTAINER_REQUESTED,
    CONTAINER_ALLOCATED,
    CONTAINER_LAUNCHED,
    CONTAINER_RUNNING,
    CONTAINER_COMPLETED,
    TASK_COMPLETED;

    /**
     * For a task's state in our words; empty for a word that is not one of them. Our tasks have no
     * retries of their own, so one that has ended is completed at once.
     */
    public static Optional<TaskState> of(String state) {
        return Optional.ofNullable(
                switch (state) {
                    case "queued" -> TASK_WAITING;
                    case "starting" -> CONTAINER_LAUNCHED;
                    case "running", "stopping" -> CONTAINER_RUNNING;
                    case "succeeded", "failed", "lost", "cancelled" -> TASK_COMPLETED;
                    default -> null;
                });
    }
}
