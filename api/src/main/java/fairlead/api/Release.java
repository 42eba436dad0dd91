package fairlead.api;

/** Which release this is, and what one says to another of it. */
public final class Release {
    /** As in pom.xml; written down because to look it up would cost each command milliseconds. */
    public static final String VERSION = "0.1.0";

    /** On every answer of a server. */
    public static final String HEADER = "Fairlead-Version";

    /** On every request of the command. */
    public static final String AGENT = "fairlead/" + VERSION;

    /** How it begins. */
    public static final String AGENT_NAME = "fairlead/";

    private Release() {}

    /** Whether the one is newer, number by number; what follows the numbers does not count. */
    public static boolean isNewer(String one, String other) {
        String[] a = one.split("\\.");
        String[] b = other.split("\\.");
        for (int i = 0; i < Math.max(a.length, b.length); i++) {
            int difference = Integer.compare(number(a, i), number(b, i));
            if (difference != 0) return difference > 0;
        }
        return false;
    }

    private static int number(String[] parts, int at) {
        if (at >= parts.length) return 0;
        String digits = parts[at].replaceFirst("\\D.*", "");
        return digits.isEmpty() || digits.length() > 9 ? 0 : Integer.parseInt(digits);
    }
}
