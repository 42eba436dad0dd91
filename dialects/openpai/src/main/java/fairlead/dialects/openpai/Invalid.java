package fairlead.dialects.openpai;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * A job that OpenPAI would not take. The message is worded as OpenPAI's own server words it, from
 * the outermost field inwards.
 */
public final class Invalid extends Exception {
    private static final long serialVersionUID = 1;

    /** What goes with the message over REST, with status 400. */
    public static final String CODE = "InvalidParametersError";

    /** Enough of a value to know it again. */
    private static final int SHOWN_CHARS_MAX = 100;

    private final transient List<Object> path;
    private final transient OptionalInt line;

    private Invalid(String message, List<Object> path, OptionalInt line) {
        super(message);
        this.path = path;
        this.line = line;
    }

    Invalid(String message) {
        this(message, List.of(), OptionalInt.empty());
    }

    /** A mistake in the field of that name. */
    static Invalid field(String name, String problem) {
        return new Invalid("\"" + name + "\" " + problem, List.of(name), OptionalInt.empty());
    }

    /** A mistake that no single field has made. */
    static Invalid at(List<Object> path, String message) {
        return new Invalid(message, List.copyOf(path), OptionalInt.empty());
    }

    /** The same mistake, seen from the object that has it in a field. */
    Invalid inChild(String name) {
        List<Object> longer = path.equals(List.of(name)) ? path : prepended(name);
        return new Invalid(
                "child \"" + name + "\" fails because [" + getMessage() + "]", longer, line);
    }

    /** The same mistake, seen from the list of that name which has it in one of its entries. */
    Invalid atPosition(String list, int index) {
        return new Invalid(
                "\"" + list + "\" at position " + index + " fails because [" + getMessage() + "]",
                prepended(index),
                line);
    }

    Invalid onLine(int number) {
        return new Invalid(getMessage(), path, OptionalInt.of(number));
    }

    private List<Object> prepended(Object step) {
        var longer = new ArrayList<Object>();
        longer.add(step);
        longer.addAll(path);
        return List.copyOf(longer);
    }

    /** The names and positions that lead to the wrong value. */
    List<Object> path() {
        return path;
    }

    /** The line of the wrong value, counted from 1, where the text could be read at all. */
    public OptionalInt line() {
        return line;
    }

    static String shown(String value) {
        return value.length() <= SHOWN_CHARS_MAX
                ? value
                : value.substring(0, SHOWN_CHARS_MAX) + "...";
    }
}
