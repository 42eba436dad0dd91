package fairlead.api;

/**
 * What kind of refusal; the HTTP status follows from it, and so does the exit code of a command.
 */
public enum ErrorCode {
    INVALID(400, 2),
    UNAUTHORIZED(401, 4),
    FORBIDDEN(403, 4),
    NOT_FOUND(404, 2),
    WRONG_METHOD(405, 2),
    AMBIGUOUS(409, 2),
    CONFLICT(409, 4),
    /** It was there once, and no repeat will bring it back. */
    GONE(410, 4),
    TOO_LARGE(413, 4),
    BUSY(429, 4),
    BUG(500, 4),
    UNAVAILABLE(503, 4),
    /** No answer in time: it may be done all the same, so only a call that names itself repeats. */
    UNDECIDED(504, 4);

    private final int status;
    private final int exitCode;

    ErrorCode(int status, int exitCode) {
        this.status = status;
        this.exitCode = exitCode;
    }

    public int status() {
        return status;
    }

    public int exitCode() {
        return exitCode;
    }

    /** The kind that an HTTP status speaks of, where a body does not say it. */
    public static ErrorCode of(int status) {
        for (ErrorCode code : values()) {
            if (code.status == status) return code;
        }
        return status >= 500 ? UNAVAILABLE : INVALID;
    }

    /** The word in JSON. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
