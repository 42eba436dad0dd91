package fairlead.dialects.openpai;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The content of an authFile (item O17): how to log in to the registry of a job's image. Its text
 * never shows the password.
 */
public record RegistryLogin(String server, String user, String password) {
    /** Longer than any registry's token. */
    public static final int BYTES_MAX = 64 * 1024;

    /** As registries are named, with a port and a path where they have one. */
    private static final Pattern SERVER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.:/_-]{0,254}");

    /**
     * Three lines: the registry, with {@code docker.io} for Docker Hub, the user, the password.
     *
     * @throws Invalid with words that follow the name of the field
     */
    public static RegistryLogin read(String text) throws Invalid {
        if (text.length() > BYTES_MAX) {
            throw new Invalid("it has more than " + BYTES_MAX + " bytes");
        }
        List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
        if (lines.size() != 3) {
            throw new Invalid(
                    "it must have three lines, registry, user and password, but has "
                            + lines.size());
        }
        String server = lines.get(0).strip();
        // Never told, as the lines of somebody's file may be in another order.
        if (!SERVER.matcher(server).matches()) {
            throw new Invalid("its first line must be a registry, such as docker.io");
        }
        return new RegistryLogin(server, lines.get(1).strip(), lines.get(2).strip());
    }

    @Override
    public String toString() {
        return user + "@" + server;
    }
}
