package fairlead.dialects.dlscheduler;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a command is typed.
 *
 * @param folder absolute; relative paths begin here
 * @param home the user's, whose datasets are mounted; empty where none is known
 */
public record Surroundings(Path folder, Optional<Path> home) {
    Path path(String name) {
        return folder.resolve(name).normalize();
    }
}
