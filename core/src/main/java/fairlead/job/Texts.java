package fairlead.job;

import java.nio.charset.StandardCharsets;

/** Checks on texts that end up as arguments and environment of a process. */
final class Texts {
    private Texts() {}

    static void checkArgument(String text, String field) {
        SpecException.unless(text.indexOf('\0') < 0, field, "contains a NUL character");
        SpecException.unless(
                bytes(text) <= Limits.ARGUMENT_BYTES_MAX,
                field,
                "has an argument of "
                        + bytes(text)
                        + " bytes; the limit is "
                        + Limits.ARGUMENT_BYTES_MAX);
    }

    static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
