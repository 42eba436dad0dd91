package fairlead.cli.act.assets;

import java.io.IOException;

/** The logs could not be written here; the server has them all the same. */
public final class Unkept extends IOException {
    private static final long serialVersionUID = 1;

    Unkept(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
