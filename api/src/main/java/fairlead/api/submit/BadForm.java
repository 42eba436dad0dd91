package fairlead.api.submit;

import java.util.OptionalInt;

/** Something posted in a dialect's form that cannot be meant: where, and what to change. */
public abstract class BadForm extends Exception {
    private static final long serialVersionUID = 1;

    private final transient OptionalInt line;
    private final String words;

    protected BadForm(String message) {
        this(message, OptionalInt.empty(), message);
    }

    /**
     * @param words the message without the place
     */
    protected BadForm(String message, OptionalInt line, String words) {
        super(message);
        this.line = line;
        this.words = words;
    }

    /** Counted from 1; empty for what is wrong with the whole. */
    public OptionalInt line() {
        return line;
    }

    /** The message without the file and the line. */
    public String words() {
        return words;
    }
}
