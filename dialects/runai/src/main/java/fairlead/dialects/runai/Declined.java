package fairlead.dialects.runai;

/** A submit that Run:ai itself turns down with exit code 1, such as one by a name in use. */
public final class Declined extends Exception {
    private static final long serialVersionUID = 1;

    Declined(String message) {
        super(message);
    }
}
