package fairlead.server.openpai;

import fairlead.server.http.Problem;
import fairlead.server.http.Refusal;

import java.util.LinkedHashMap;

/** A call that is refused, as OpenPAI's clients read it. */
final class PaiProblem extends Refusal {
    private static final long serialVersionUID = 1;
    private final transient PaiCode code;
    private final int status;

    PaiProblem(PaiCode code, String message) {
        this(code, code.status(), message);
    }

    PaiProblem(PaiCode code, int status, String message) {
        super(message);
        this.code = code;
        this.status = status;
    }

    static PaiProblem invalid(String message) {
        return new PaiProblem(PaiCode.INVALID_PARAMETERS, message);
    }

    static PaiProblem onlyAdmin() {
        return new PaiProblem(
                PaiCode.FORBIDDEN_USER, "Non-admin is not allowed to do this operation.");
    }

    static PaiProblem noUser(String name) {
        return new PaiProblem(PaiCode.NO_USER, "User %.40s not found.".formatted(name));
    }

    /** What any part of the server refuses, as OpenPAI's clients know it. */
    static PaiProblem of(Problem problem) {
        PaiCode code =
                switch (problem.code()) {
                    case INVALID, AMBIGUOUS, WRONG_METHOD, TOO_LARGE -> PaiCode.INVALID_PARAMETERS;
                    case UNAUTHORIZED -> PaiCode.UNAUTHORIZED_USER;
                    case FORBIDDEN -> PaiCode.FORBIDDEN_USER;
                    case BUSY -> PaiCode.TOO_MANY_REQUESTS;
                    case NOT_FOUND, CONFLICT, GONE, BUG, UNAVAILABLE, UNDECIDED -> PaiCode.UNKNOWN;
                };
        return new PaiProblem(code, problem.code().status(), problem.getMessage());
    }

    PaiCode code() {
        return code;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public Object body() {
        var body = new LinkedHashMap<String, Object>();
        body.put("code", code.word());
        body.put("message", getMessage());
        return body;
    }
}
