package fairlead.dialects.jobfile;

import java.util.OptionalInt;

/** A job file that cannot be read; the message says where and why. */
public final class BadJobFile extends Exception {
    private static final long serialVersionUID = 1;

    private final transient OptionalInt line;
    private final String words;

    BadJobFile(String file, OptionalInt line, String words) {
        super(file + (line.isPresent() ? ":" + line.getAsInt() : "") + ": " + words);
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
