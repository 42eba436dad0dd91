package fairlead.cli.server;

import fairlead.api.Release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What to say where the command and the server are of different releases. */
public final class OtherVersion {
    /** In the home folder: which two releases the user has been told of. */
    private static final String TOLD = "versions-told";

    private OtherVersion() {}

    /**
     * @param server as it says itself
     */
    public static Optional<String> words(String server) {
        if (Release.isNewer(server, Release.VERSION))
            return Optional.of(
                    "the server is newer (%s) than this command (%s); 'fairlead version' says how to upgrade"
                            .formatted(server, Release.VERSION));
        if (Release.isNewer(Release.VERSION, server))
            return Optional.of(
                    "the server is older (%s) than this command (%s) and may not know all that it asks for; your own is upgraded by 'fairlead server stop', as the next command starts the new one"
                            .formatted(server, Release.VERSION));
        return Optional.empty();
    }

    /** Whether these two are met for the first time; from then on they are not. */
    public static boolean isFirstMeeting(Path home, String server) {
        String pair = Release.VERSION + " " + server;
        Path file = home.resolve(TOLD);
        try {
            if (Files.exists(file) && Files.readString(file).equals(pair)) return false;
            Files.writeString(file, pair);
            return true;
        } catch (IOException _) {
            // Rather silent than the same on every command.
            return false;
        }
    }

    /** Of a build in a checkout, or of the command alone, for a laptop. */
    public static String upgradeOf(Path dist) {
        Path checkout = dist.resolve("../..").normalize();
        return Files.exists(checkout.resolve("pom.xml"))
                ? "git pull, in " + checkout + "; the next command builds it"
                : "unpack a newer fairlead-client.zip over " + dist.normalize();
    }

    /** How this installation is replaced by a newer one. */
    public static String upgrade() {
        String dist = System.getProperty(ServerProgram.DIST_PROPERTY);
        if (dist != null) return upgradeOf(Path.of(dist));
        Path image = Path.of(System.getProperty("java.home")).resolveSibling("lib");
        if (image.startsWith("/usr/lib/fairlead"))
            return "apt install ./fairlead_VERSION_ARCHITECTURE.deb, of a newer release";
        return Files.exists(image.resolve("cli.jar"))
                ? "sh install.sh ARCHIVE, with the archive of a newer release"
                : "replace what is on its class path";
    }
}
