package fairlead.job;

import java.util.regex.Pattern;

/**
 * Somebody whom the server knows by a token.
 *
 * @param tokenHash of the token; the token itself is kept nowhere
 * @param admin may change projects and people, and submit for others
 * @param project where jobs go that name none
 */
public record Person(String name, String tokenHash, boolean admin, String project) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9._-]{0,31}");

    public Person {
        SpecException.unless(
                NAME.matcher(name).matches(), "name", "is not a user's name: '" + name + "'");
    }

    /** A token's hash must not be in a log by accident. */
    @Override
    public String toString() {
        return name + (admin ? " (admin)" : "") + " of " + project;
    }
}
