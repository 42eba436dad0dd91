package fairlead.dialects.dlscheduler;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where a command is typed.
 *
 * @param folder absolute; relative paths begin here
 * @param home the user's, whose datasets are mounted; empty where none is known
 * @param environment the variables that go along with the job
 */
public record Surroundings(Path folder, Optional<Path> home, Map<String, String> environment) {
    Path path(String name) {
        return folder.resolve(name).normalize();
    }
}
