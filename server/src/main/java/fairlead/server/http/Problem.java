package fairlead.server.http;

import fairlead.api.ErrorBody;
import fairlead.api.ErrorCode;
import fairlead.api.json.BadBody;
import fairlead.control.Refused;
import fairlead.engine.EngineException;
import fairlead.job.SpecException;
import fairlead.journal.JournalException;

import java.util.List;
import java.util.Optional;

/** A call that is refused, as senders of our own interface read it. */
public final class Problem extends Refusal {
    private static final long serialVersionUID = 1;
    private final transient ErrorCode code;
    private final transient ErrorBody body;

    public Problem(ErrorCode code, String message) {
        this(code, message, null, null);
    }

    private Problem(ErrorCode code, String message, String field, List<String> matches) {
        super(message);
        this.code = code;
        this.body = new ErrorBody(code.word(), message, field, matches);
    }

    public static Problem invalid(String field, String message) {
        return new Problem(ErrorCode.INVALID, message, field, null);
    }

    public static Problem notFound(String field, String message) {
        return new Problem(ErrorCode.NOT_FOUND, message, field, null);
    }

    public static Problem forbidden(String field, String message) {
        return new Problem(ErrorCode.FORBIDDEN, message, field, null);
    }

    public static Problem ambiguous(String message, List<String> matches) {
        return new Problem(ErrorCode.AMBIGUOUS, message, null, matches);
    }

    /** What an expected failure means to the sender; empty for anything else. */
    public static Optional<Problem> of(Exception failure) {
        return switch (failure) {
            case Problem problem -> Optional.of(problem);
            case BadBody bad -> Optional.of(invalid(bad.field().orElse(null), bad.getMessage()));
            case SpecException bad -> Optional.of(invalid(bad.field(), bad.getMessage()));
            case Refused refused -> Optional.of(of(refused));
            case JournalException lost ->
                    Optional.of(new Problem(ErrorCode.UNAVAILABLE, lost.getMessage()));
            case EngineException lost ->
                    Optional.of(new Problem(ErrorCode.UNAVAILABLE, lost.getMessage()));
            case InterruptedException _ ->
                    Optional.of(new Problem(ErrorCode.UNAVAILABLE, "the server is stopping"));
            default -> Optional.empty();
        };
    }

    private static Problem of(Refused refused) {
        ErrorCode code =
                switch (refused.kind()) {
                    case NOT_FOUND -> ErrorCode.NOT_FOUND;
                    case FORBIDDEN -> ErrorCode.FORBIDDEN;
                    case CONFLICT -> ErrorCode.CONFLICT;
                    case BUSY -> ErrorCode.BUSY;
                    case UNAVAILABLE -> ErrorCode.UNAVAILABLE;
                    case UNDECIDED -> ErrorCode.UNDECIDED;
                };
        return new Problem(code, refused.getMessage());
    }

    public ErrorCode code() {
        return code;
    }

    @Override
    public int status() {
        return code.status();
    }

    @Override
    public ErrorBody body() {
        return body;
    }
}
