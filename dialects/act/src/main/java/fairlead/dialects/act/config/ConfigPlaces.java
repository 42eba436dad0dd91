package fairlead.dialects.act.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Where people keep the config files of ACT and Philly: below the folder {@code aux_data}. */
public final class ConfigPlaces {
    /**
     * Names the file that counts instead of ACT's usual one; empty means that none does but one
     * that {@code -c} names.
     */
    public static final String VARIABLE = "AML_CONFIG_PATH";

    /** Where the files are that ACT's {@code -c} names. */
    public static final String ACT_FOLDER = "aux_data/aml";

    public static final String PHILLY_FILE = "aux_data/configs/philly_vc.yaml";

    private static final String TOP = "aux_data";

    private ConfigPlaces() {}

    /** Whether no file counts that {@code -c} does not name. */
    public static boolean isOff(Map<String, String> environment) {
        return "".equals(environment.get(VARIABLE));
    }

    /**
     * Where config files are looked for, and where their paths begin: this folder, or the nearest
     * above it that has such files. One above counts only where it belongs to the account that runs
     * this, as with git: in a folder that everybody may write to, such a file would send somebody's
     * jobs to others. A file that the environment names leaves the folder as it is.
     */
    public static Path root(Path folder, Map<String, String> environment) {
        return above(folder, environment).filter(above -> isOwn(above.resolve(TOP))).orElse(folder);
    }

    /**
     * The config files above this folder that would count if they belonged to the account that runs
     * this. Who types below them may think that they do.
     */
    public static Optional<Path> foreign(Path folder, Map<String, String> environment) {
        return above(folder, environment)
                .map(above -> above.resolve(TOP))
                .filter(files -> !isOwn(files));
    }

    /** The nearest folder above with config files, where this one has none. */
    private static Optional<Path> above(Path folder, Map<String, String> environment) {
        Path here = folder.toAbsolutePath().normalize();
        boolean isNamed = environment.get(VARIABLE) != null && !isOff(environment);
        if (isNamed || hasFiles(here)) return Optional.empty();
        for (Path above = here.getParent(); above != null; above = above.getParent()) {
            if (hasFiles(above)) return Optional.of(above);
        }
        return Optional.empty();
    }

    private static boolean hasFiles(Path folder) {
        return Files.isDirectory(folder.resolve(ACT_FOLDER))
                || Files.exists(folder.resolve(PHILLY_FILE));
    }

    private static boolean isOwn(Path folder) {
        try {
            var accounts = folder.getFileSystem().getUserPrincipalLookupService();
            var me = accounts.lookupPrincipalByName(System.getProperty("user.name"));
            return Files.getOwner(folder).equals(me);
        } catch (IOException | UnsupportedOperationException _) {
            return false;
        }
    }
}
