package fairlead.dialects.act;

/** A command that the config file does not allow, or that it cannot be carried out with. */
public final class Misuse extends Exception {
    private static final long serialVersionUID = 1;

    Misuse(String message) {
        super(message);
    }
}
