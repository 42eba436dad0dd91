package fairlead.cli;

import fairlead.api.ErrorBody;
import fairlead.api.ErrorCode;

import java.util.List;

/** What the fake server answers instead of doing what it was asked. */
final class FakeRefusal extends Exception {
    private static final long serialVersionUID = 1;
    final int status;
    final transient ErrorBody body;

    FakeRefusal(ErrorCode code, String message, String field, List<String> matches) {
        super(message);
        status = code.status();
        body = new ErrorBody(code.word(), message, field, matches);
    }
}
