package fairlead.engines.azureml.rest;

import java.time.Duration;
import java.util.Optional;

/** A call failed: the service refused it, or no answer came. */
public final class ServiceException extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String code;
    private final transient Optional<Duration> pause;

    /**
     * @param status zero when no answer came
     * @param code the innermost that the service names; may be empty
     * @param pause what the service asks for before the next call
     */
    ServiceException(String message, int status, String code, Optional<Duration> pause) {
        super(message);
        this.status = status;
        this.code = code;
        this.pause = pause;
    }

    /** No answer came; whether the service has taken the call, nobody knows. */
    public ServiceException(String message, Throwable cause) {
        super(message, cause);
        this.status = 0;
        this.code = "";
        this.pause = Optional.empty();
    }

    public int status() {
        return status;
    }

    public String code() {
        return code;
    }

    public Optional<Duration> pause() {
        return pause;
    }

    public boolean isMissing() {
        return status == 404;
    }

    /** Whether the same call may succeed later, without anybody changing it. */
    public boolean isPassing() {
        return status == 0 || status == 408 || status == 429 || status >= 500;
    }

    /** Whether the caller lacks a right, or is nobody. */
    public boolean isForbidden() {
        return status == 401 || status == 403;
    }
}
