package fairlead.job;

import java.util.regex.Pattern;

/**
 * The job file of another system that a job was made from.
 *
 * @param dialect whose file it is, such as {@code openpai}
 * @param text the file exactly as it was submitted
 * @param key what that system calls the job; no other job of the dialect has it until this one is
 *     deleted. Empty where that system has no names
 */
public record Origin(String dialect, String text, String key) {
    private static final Pattern DIALECT = Pattern.compile("[a-z][a-z0-9]{0,31}");
    private static final int KEY_CHARACTERS_MAX = 512;

    /** As much as a command with its environment: the file holds both, and little more. */
    private static final int TEXT_BYTES_MAX = Limits.COMMAND_AND_ENVIRONMENT_BYTES_MAX;

    public Origin {
        SpecException.unless(
                DIALECT.matcher(dialect).matches(),
                "origin.dialect",
                "must be 1 to 32 lower case letters or digits, but is '" + dialect + "'");
        SpecException.unless(
                (key.isEmpty() || !key.isBlank()) && key.length() <= KEY_CHARACTERS_MAX,
                "origin.key",
                "must be at most " + KEY_CHARACTERS_MAX + " characters, and not blanks alone");
        int bytes = Texts.bytes(text);
        SpecException.unless(
                bytes <= TEXT_BYTES_MAX,
                "origin.text",
                "takes " + bytes + " bytes; the limit is " + TEXT_BYTES_MAX);
    }

    /** The same file for a job beside the first one. */
    Origin renamed(String end) {
        return key.isEmpty() ? this : new Origin(dialect, text, key + end);
    }
}
