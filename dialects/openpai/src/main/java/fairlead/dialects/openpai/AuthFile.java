package fairlead.dialects.openpai;

import fairlead.api.launch.LoginFile;
import fairlead.api.launch.Misfit;

import java.util.List;
import java.util.regex.Pattern;

/** A job's authFile (item O17): how to log in to the registry of its image. */
record AuthFile(String address, String user) implements LoginFile {
    /** Longer than any registry's token. */
    private static final int BYTES_MAX = 64 * 1024;

    /** As registries are named, with a port and a path where they have one. */
    private static final Pattern SERVER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.:/_-]{0,254}");

    @Override
    public String field() {
        return "authFile";
    }

    @Override
    public int bytesMax() {
        return BYTES_MAX;
    }

    /** Three lines: the registry, with {@code docker.io} for Docker Hub, the user, the password. */
    @Override
    public Login read(String text) throws Misfit {
        if (text.length() > BYTES_MAX) {
            throw new Misfit(field(), "it has more than " + BYTES_MAX + " bytes");
        }
        List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
        if (lines.size() != 3) {
            throw new Misfit(
                    field(),
                    "it must have three lines, registry, user and password, but has "
                            + lines.size());
        }
        String server = lines.get(0).strip();
        // Never shown, as the lines of somebody's file may be in another order.
        if (!SERVER.matcher(server).matches()) {
            throw new Misfit(field(), "its first line must be a registry, such as docker.io");
        }
        return new Login(server, lines.get(1).strip(), lines.get(2).strip());
    }
}
