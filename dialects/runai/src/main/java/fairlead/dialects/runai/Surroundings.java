package fairlead.dialects.runai;

import java.nio.file.Path;
import java.util.Map;

/**
 * Where a command is typed.
 *
 * @param folder absolute; relative paths begin here
 * @param project the default one; null where none is set
 * @param claims folders of the machine by the names of the claims that stand for them
 */
public record Surroundings(Path folder, String project, Map<String, String> claims) {
    String path(String name) {
        return folder.resolve(name).normalize().toString();
    }
}
