package fairlead.engine;

/** The engine could not do it now; whoever called decides when to try again. */
public final class EngineException extends Exception {
    private static final long serialVersionUID = 1;

    public EngineException(String message) {
        super(message);
    }

    public EngineException(String message, Throwable cause) {
        super(message, cause);
    }
}
