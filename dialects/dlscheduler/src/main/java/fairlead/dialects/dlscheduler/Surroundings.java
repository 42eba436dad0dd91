package fairlead.dialects.dlscheduler;

import java.nio.file.Path;
import java.util.Map;

/**
 * Where a command is typed.
 *
 * @param folder absolute; relative paths begin here
 * @param home the user's; its datasets are mounted
 * @param environment the variables that go along with the job
 */
public record Surroundings(Path folder, Path home, Map<String, String> environment) {
    Path path(String name) {
        return folder.resolve(name).normalize();
    }
}
