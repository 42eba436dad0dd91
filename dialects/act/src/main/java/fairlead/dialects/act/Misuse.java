package fairlead.dialects.act;

/** A command that the config file does not allow, or that it cannot be carried out with. */
public sealed class Misuse extends Exception permits SignatureEnded {
    private static final long serialVersionUID = 1;

    Misuse(String message) {
        super(message);
    }
}
