package fairlead.dialects.openpai;

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * A job as it was submitted.
 *
 * @param submitted the JSON as it came, defaults not filled in: what {@code GET .../config}
 *     answers. Where the text was a file, comments are blanks in it, as JSON has none
 * @param warnings for the header {@code X-Warning}
 */
public record JobFile(PaiJob job, String submitted, List<String> warnings) {
    /** The longest command and the variables fit in many times over. */
    public static final int CHARS_MAX = 1 << 20;

    /** No field of our own job files is called so. */
    private static final Pattern OWN_FIELD = Pattern.compile("\"(jobName|taskRoles)\"\\s*:");

    public JobFile {
        warnings = List.copyOf(warnings);
    }

    /**
     * Whether a file is meant as an OpenPAI job, even if there is a mistake in it. Our own job
     * files are not.
     */
    public static boolean isMeant(String text) {
        if (text.length() > CHARS_MAX) return false;
        String json = Relaxed.strict(text);
        return json.stripLeading().startsWith("{") && OWN_FIELD.matcher(json).find();
    }

    /** Reads a file: {@code //} comments and a comma before a closing bracket are taken. */
    public static JobFile ofFile(String text) throws Invalid {
        checkLength(text);
        return ofStrict(Relaxed.strict(text));
    }

    /** Reads the body of a request: JSON and nothing else. */
    public static JobFile ofRequest(String text) throws Invalid {
        checkLength(text);
        return ofStrict(text);
    }

    private static void checkLength(String text) throws Invalid {
        if (text.length() <= CHARS_MAX) return;
        throw new Invalid(
                "the job has " + text.length() + " characters; the limit is " + CHARS_MAX);
    }

    private static JobFile ofStrict(String json) throws Invalid {
        Object tree = Tree.read(json);
        try {
            var schema = new JobSchema(tree);
            return new JobFile(schema.job(), json, schema.warnings());
        } catch (Invalid invalid) {
            OptionalInt line = invalid.line();
            throw line.isPresent()
                    ? invalid
                    : invalid.onLine(Whereabouts.line(json, invalid.path()));
        }
    }
}
