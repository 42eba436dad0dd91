package fairlead.api.client;

import fairlead.api.ErrorBody;
import fairlead.api.ErrorCode;
import fairlead.api.json.Wire;

import java.io.IOException;

/** A server's "no" to one call, with its reason. */
public final class Refused extends Exception {
    private static final long serialVersionUID = 1;
    private final int status;
    private final transient ErrorBody body;

    public Refused(int status, ErrorBody body) {
        super(body.message());
        this.status = status;
        this.body = body;
    }

    public int status() {
        return status;
    }

    public ErrorBody body() {
        return body;
    }

    public boolean is(ErrorCode code) {
        return code.word().equals(body.code());
    }

    /** What a command exits with. A code of a newer server counts as refused. */
    public int exitCode() {
        for (ErrorCode code : ErrorCode.values()) {
            if (is(code)) return code.exitCode();
        }
        return ErrorCode.CONFLICT.exitCode();
    }

    /** Throws what the answer says unless its status is one of success. */
    static void unlessDone(int status, byte[] answer) throws Refused {
        if (status < 300) return;
        ErrorBody error = null;
        try {
            error = Wire.read(answer, Wire.type(ErrorBody.class));
        } catch (IOException _) {
            // Something between us and the server answered, in its own words.
            error = null;
        }
        if (error == null || error.code() == null) {
            String message = "the server answered with HTTP status " + status;
            error = new ErrorBody(ErrorCode.of(status).word(), message, null, null);
        }
        throw new Refused(status, error);
    }
}
