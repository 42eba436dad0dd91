package fairlead.job;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Somebody whom the server knows by a token, and by a password where they have one.
 *
 * @param tokenHash of the token; the token itself is kept nowhere
 * @param admin may change projects and people, and submit for others
 * @param project where jobs go that name none
 * @param passwordHash of the password, with its salt and its costs
 * @param hasGitHubPat whether they have handed in an access token of GitHub's, which is not kept
 */
public record Person(
        String name,
        String tokenHash,
        boolean admin,
        String project,
        Optional<String> passwordHash,
        boolean hasGitHubPat) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,31}");

    public Person {
        SpecException.unless(
                NAME.matcher(name).matches(), "name", "is not a user's name: '" + name + "'");
    }

    /** Somebody with a token alone. */
    public Person(String name, String tokenHash, boolean admin, String project) {
        this(name, tokenHash, admin, project, Optional.empty(), false);
    }

    public Person withToken(String hash) {
        return new Person(name, hash, admin, project, passwordHash, hasGitHubPat);
    }

    public Person withPassword(String hash) {
        return new Person(name, tokenHash, admin, project, Optional.of(hash), hasGitHubPat);
    }

    public Person withAdmin(boolean isAdmin) {
        return new Person(name, tokenHash, isAdmin, project, passwordHash, hasGitHubPat);
    }

    public Person withProject(String other) {
        return new Person(name, tokenHash, admin, other, passwordHash, hasGitHubPat);
    }

    public Person withGitHubPat(boolean has) {
        return new Person(name, tokenHash, admin, project, passwordHash, has);
    }

    /** A hash must not be in a log by accident. */
    @Override
    public String toString() {
        return name + (admin ? " (admin)" : "") + " of " + project;
    }
}
