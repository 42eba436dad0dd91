package fairlead.dialects.act;

/** A signature that no longer opens its container, with no key to make another. */
public final class SignatureEnded extends Misuse {
    private static final long serialVersionUID = 1;

    SignatureEnded(String message) {
        super(message);
    }
}
