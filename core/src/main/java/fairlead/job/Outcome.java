package fairlead.job;

/**
 * How a job ended.
 *
 * @param exitCode what {@code fairlead run} exits with
 * @param reason for people; empty when there is nothing to add
 */
public record Outcome(Kind kind, int exitCode, String reason) {
    /** 128 + SIGTERM: what a cancelled command would have answered itself. */
    private static final int CANCELLED_CODE = 143;

    /** What the tool {@code timeout} exits with. */
    private static final int TIME_LIMIT_CODE = 124;

    public enum Kind {
        SUCCEEDED,
        FAILED,
        CANCELLED
    }

    public static Outcome succeeded() {
        return new Outcome(Kind.SUCCEEDED, 0, "");
    }

    public static Outcome failed(int exitCode, String reason) {
        return new Outcome(Kind.FAILED, exitCode == 0 ? 1 : exitCode, reason);
    }

    public static Outcome cancelled(String by) {
        return new Outcome(Kind.CANCELLED, CANCELLED_CODE, "cancelled by " + by);
    }

    /** What it was to run after will never be. */
    public static Outcome forsaken(String why) {
        return new Outcome(Kind.CANCELLED, CANCELLED_CODE, why);
    }

    public static Outcome timeLimit() {
        return new Outcome(Kind.FAILED, TIME_LIMIT_CODE, "time limit reached");
    }

    /**
     * Whether others have ended it, a person or its time limit: by itself it would have gone on.
     */
    public boolean isCutShort() {
        return kind == Kind.CANCELLED || equals(timeLimit());
    }
}
