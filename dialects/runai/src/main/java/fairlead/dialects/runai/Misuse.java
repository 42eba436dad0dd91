package fairlead.dialects.runai;

/** Words that cannot be meant, or not here: the message says what to change. */
public final class Misuse extends Exception {
    private static final long serialVersionUID = 1;

    Misuse(String message) {
        super(message);
    }
}
