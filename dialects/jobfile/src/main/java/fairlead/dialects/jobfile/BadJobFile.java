package fairlead.dialects.jobfile;

import fairlead.api.submit.BadForm;

import java.util.OptionalInt;

/** A job file that cannot be read; the message says where and why. */
public final class BadJobFile extends BadForm {
    private static final long serialVersionUID = 1;

    BadJobFile(String file, OptionalInt line, String words) {
        super(file + (line.isPresent() ? ":" + line.getAsInt() : "") + ": " + words, line, words);
    }
}
