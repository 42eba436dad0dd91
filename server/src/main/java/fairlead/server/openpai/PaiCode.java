package fairlead.server.openpai;

/** OpenPAI's error codes, each with the status that it has unless a route says otherwise. */
enum PaiCode {
    BAD_CONFIGURATION("BadConfigurationError", 400),
    CONFLICT_JOB("ConflictJobError", 409),
    CONFLICT_USER("ConflictUserError", 409),
    CONFLICT_VC("ConflictVcError", 409),
    FORBIDDEN_USER("ForbiddenUserError", 403),
    INCORRECT_PASSWORD("IncorrectPasswordError", 400),
    INVALID_PARAMETERS("InvalidParametersError", 400),
    NO_API("NoApiError", 404),
    NO_JOB("NoJobError", 404),
    NO_JOB_CONFIG("NoJobConfigError", 404),
    NO_JOB_SSH_INFO("NoJobSshInfoError", 404),
    NO_USER("NoUserError", 404),
    NO_VIRTUAL_CLUSTER("NoVirtualClusterError", 404),
    READ_ONLY_JOB("ReadOnlyJobError", 403),
    REMOVE_ADMIN("RemoveAdminError", 403),
    REMOVE_RUNNING_VC("RemoveRunningVcError", 403),
    UNAUTHORIZED_USER("UnauthorizedUserError", 401),
    NO_ENOUGH_QUOTA("NoEnoughQuotaError", 403),
    UNKNOWN("UnknownError", 500),
    /** Not one of OpenPAI's, which has no limit to what it is asked. */
    TOO_MANY_REQUESTS("TooManyRequestsError", 429);

    private final String word;
    private final int status;

    PaiCode(String word, int status) {
        this.word = word;
        this.status = status;
    }

    String word() {
        return word;
    }

    int status() {
        return status;
    }
}
