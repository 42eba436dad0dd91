package fairlead.dialects.openpai;

import java.util.List;

/**
 * The content of an authFile (item O17): how to log in to the registry of a job's image. Its text
 * never shows the password.
 */
public record RegistryLogin(String server, String user, String password) {
    /** Longer than any registry's token. */
    private static final int CHARS_MAX = 64 * 1024;

    /** Three lines: the registry, with {@code docker.io} for Docker Hub, the user, the password. */
    public static RegistryLogin read(String text) throws Invalid {
        if (text.length() > CHARS_MAX) {
            throw new Invalid("authFile has more than " + CHARS_MAX + " characters");
        }
        List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
        if (lines.size() != 3) {
            throw new Invalid(
                    "authFile must have three lines, registry, user and password, but has "
                            + lines.size());
        }
        return new RegistryLogin(lines.get(0).strip(), lines.get(1).strip(), lines.get(2).strip());
    }

    @Override
    public String toString() {
        return user + "@" + server;
    }
}
