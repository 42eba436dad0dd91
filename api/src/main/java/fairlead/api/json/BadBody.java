package fairlead.api.json;

import java.util.Optional;

/** A body that cannot be understood: malformed JSON, or a field of the wrong kind. */
public final class BadBody extends IllegalArgumentException {
    private static final long serialVersionUID = 1;
    private final String field;

    private BadBody(String field, String message) {
        super(message);
        this.field = field;
    }

    public static BadBody malformed(String problem) {
        return new BadBody(null, "not valid JSON: " + problem);
    }

    public static BadBody wrong(String field, String problem) {
        return field.isEmpty()
                ? new BadBody(null, "the body " + problem)
                : new BadBody(field, field + ": " + problem);
    }

    /** The path of the wrong field, such as {@code jobs[0].gpus}; empty for malformed JSON. */
    public Optional<String> field() {
        return Optional.ofNullable(field);
    }
}
