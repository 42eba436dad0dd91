package fairlead.dialects.openpai;

/** Why an attempt was over, in the words that OpenPAI's users search for (items O44, O45). */
public final class CompletionReason {
    private CompletionReason() {}

    public static String failed(String role, int failed, int minFailedTaskCount) {
        return "[%s]: FailedTaskCount %d has reached MinFailedTaskCount %d."
                .formatted(role, failed, minFailedTaskCount);
    }

    public static String succeeded(String role, int succeeded, int minSucceededTaskCount) {
        return "[%s]: SucceededTaskCount %d has reached MinSucceededTaskCount %d."
                .formatted(role, succeeded, minSucceededTaskCount);
    }

    /** No rule fired until every task had ended. */
    public static String allCompleted(int tasks, int failed) {
        return ("All Tasks completed and no ApplicationCompletionPolicy has ever been triggered:"
                        + " TotalTaskCount: %d, FailedTaskCount: %d.")
                .formatted(tasks, failed);
    }
}
