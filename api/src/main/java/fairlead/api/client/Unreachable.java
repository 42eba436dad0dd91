package fairlead.api.client;

import java.io.IOException;

/** No answer from a server: nothing listens there, or the connection broke or timed out. */
public class Unreachable extends IOException {
    private static final long serialVersionUID = 1;

    public Unreachable(String message) {
        super(message);
    }

    public Unreachable(String message, IOException cause) {
        super(message, cause);
    }
}
