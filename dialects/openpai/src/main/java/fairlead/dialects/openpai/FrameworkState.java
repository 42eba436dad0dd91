package fairlead.dialects.openpai;

import java.util.Optional;

/** Where a job stands in OpenPAI's launcher: its subState (items O48 to O50). */
public enum FrameworkState {
    FRAMEWORK_WAITING,
    APPLICATION_CREATED,
    APPLICATION_LAUNCHED,
    APPLICATION_WAITING,
    APPLICATION_RUNNING,
    APPLICATION_RETRIEVING_DIAGNOSTICS,
    APPLICATION_COMPLETED,
    FRAMEWORK_COMPLETED;

    /**
     * For a job's state in our words; empty for a word that is not one of them.
     *
     * <p>A job that is being stopped still runs: OpenPAI's portal tells such a job by its
     * executionType.
     */
    public static Optional<FrameworkState> of(String state) {
        return Optional.ofNullable(
                switch (state) {
                    case "queued" -> FRAMEWORK_WAITING;
                    case "starting" -> APPLICATION_LAUNCHED;
                    case "running", "stopping" -> APPLICATION_RUNNING;
                    case "succeeded", "failed", "cancelled" -> FRAMEWORK_COMPLETED;
                    default -> null;
                });
    }
}
