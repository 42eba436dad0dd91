package fairlead.engines.yarn.relay;

import java.io.IOException;

/** The other side is there and does not do what was asked; the message says why, for people. */
public final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    public RefusedException(String message) {
        super(message);
    }
}
