package fairlead.dialects.runai;

/**
 * One flag of {@code runai submit}, as its help tells it.
 *
 * @param name with its dashes
 * @param letter the short form, or null
 * @param value what stands for its value in help, or null for a switch
 */
public record Flag(String name, String letter, String value, String help, Meaning meaning) {
    /** What becomes of a flag that is said. */
    public sealed interface Meaning {
        /** It does what Run:ai says of it. */
        record Honoured() implements Meaning {}

        /**
         * The job runs as well without it.
         *
         * @param why what is so instead, for the one line that tells the user
         */
        record Ignored(String why) implements Meaning {}

        /**
         * The job would be another one without it, so it is not submitted.
         *
         * @param instead what to do
         */
        record Refused(String instead) implements Meaning {}
    }

    static Flag valued(String name, String letter, String value, String help) {
        return new Flag(name, letter, value, help, new Meaning.Honoured());
    }

    static Flag flag(String name, String help) {
        return new Flag(name, null, null, help, new Meaning.Honoured());
    }

    static Flag ignored(String name, String value, String why) {
        return new Flag(name, null, value, "ignored: " + why, new Meaning.Ignored(why));
    }

    static Flag refused(String name, String letter, String value, String instead) {
        return new Flag(name, letter, value, "refused: " + instead, new Meaning.Refused(instead));
    }
}
