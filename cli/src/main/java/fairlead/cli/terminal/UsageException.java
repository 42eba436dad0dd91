package fairlead.cli.terminal;

import java.util.Optional;

/** A command line or job file that cannot be meant: the message says what to change. */
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    private final String verb;

    public UsageException(String message) {
        this(message, null);
    }

    private UsageException(String message, String verb) {
        super(message);
        this.verb = verb;
    }

    /** The same, where a verb inside of another is to be asked for help. */
    public UsageException of(String inner) {
        return verb == null ? new UsageException(getMessage(), inner) : this;
    }

    /** Whose help says more, if it is another than the one that was typed first. */
    public Optional<String> verb() {
        return Optional.ofNullable(verb);
    }
}
