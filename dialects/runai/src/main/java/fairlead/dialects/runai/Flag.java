package fairlead.dialects.runai;

/**
 * One flag of {@code runai submit}, as its help has it.
 *
 * @param name with its dashes
 * @param letter the short form, or null
 * @param value what stands for its value in help, or null for a switch
 * @param meaning where jobs run inside images
 * @param bare where they run on the machine itself
 */
public record Flag(
        String name, String letter, String value, String help, Meaning meaning, Meaning bare) {
    private static final Meaning HONOURED = new Meaning.Honoured();

    /** What becomes of a flag that is said. */
    public sealed interface Meaning {
        /** It does what Run:ai says of it. */
        record Honoured() implements Meaning {}

        /**
         * The job runs as well without it.
         *
         * @param why what is so instead, for the one line that the user gets
         */
        record Ignored(String why) implements Meaning {}

        /**
         * The job would be another one without it, so it is not submitted.
         *
         * @param instead what to do
         */
        record Refused(String instead) implements Meaning {}
    }

    Meaning meaning(boolean inImages) {
        return inImages ? meaning : bare;
    }

    static Flag valued(String name, String letter, String value, String help) {
        return new Flag(name, letter, value, help, HONOURED, HONOURED);
    }

    static Flag flag(String name, String help) {
        return new Flag(name, null, null, help, HONOURED, HONOURED);
    }

    static Flag ignored(String name, String value, String why) {
        var ignored = new Meaning.Ignored(why);
        return new Flag(name, null, value, "ignored: " + why, ignored, ignored);
    }

    static Flag refused(String name, String letter, String value, String instead) {
        var refused = new Meaning.Refused(instead);
        return new Flag(name, letter, value, "refused: " + instead, refused, refused);
    }

    /**
     * Without containers ignored.
     *
     * @param why what is so there instead
     */
    Flag orIgnored(String why) {
        return new Flag(name, letter, value, help, HONOURED, new Meaning.Ignored(why));
    }

    /**
     * Without containers refused.
     *
     * @param instead what to do there
     */
    Flag orRefused(String instead) {
        return new Flag(name, letter, value, help, HONOURED, new Meaning.Refused(instead));
    }
}
