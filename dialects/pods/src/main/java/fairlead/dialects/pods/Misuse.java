package fairlead.dialects.pods;

/** A pod file that cannot be meant, or asks for what cannot be given, with its line. */
public final class Misuse extends Exception {
    private static final long serialVersionUID = 1;

    private final int line;

    Misuse(int line, String message) {
        super(message);
        this.line = line;
    }

    public int line() {
        return line;
    }
}
