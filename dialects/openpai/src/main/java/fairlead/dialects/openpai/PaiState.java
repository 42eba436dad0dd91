package fairlead.dialects.openpai;

import java.util.Optional;

/** The state of a job as OpenPAI's users see it (item O49). */
public enum PaiState {
    WAITING,
    RUNNING,
    SUCCEEDED,
    STOPPED,
    FAILED,
    UNKNOWN;

    /**
     * @param end how the job ended; only asked when it has
     */
    public static PaiState of(FrameworkState state, Optional<ExitStatus> end) {
        return switch (state) {
            case FRAMEWORK_WAITING,
                    APPLICATION_CREATED,
                    APPLICATION_LAUNCHED,
                    APPLICATION_WAITING,
                    APPLICATION_RETRIEVING_DIAGNOSTICS,
                    APPLICATION_COMPLETED ->
                    WAITING;
            case APPLICATION_RUNNING -> RUNNING;
            case FRAMEWORK_COMPLETED ->
                    end.map(
                                    status ->
                                            switch (status) {
                                                case SUCCEEDED -> SUCCEEDED;
                                                case LAUNCHER_STOP_FRAMEWORK_REQUESTED -> STOPPED;
                                                default -> FAILED;
                                            })
                            .orElse(UNKNOWN);
        };
    }

    /** For a job's state in our words: it says how the job ended as well. */
    public static PaiState of(String state) {
        Optional<ExitStatus> end =
                switch (state) {
                    case "succeeded" -> Optional.of(ExitStatus.SUCCEEDED);
                    case "cancelled" -> Optional.of(ExitStatus.LAUNCHER_STOP_FRAMEWORK_REQUESTED);
                    case "failed" -> Optional.of(ExitStatus.LAUNCHER_EXIT_STATUS_UNDEFINED);
                    default -> Optional.empty();
                };
        return FrameworkState.of(state).map(framework -> of(framework, end)).orElse(UNKNOWN);
    }
}
