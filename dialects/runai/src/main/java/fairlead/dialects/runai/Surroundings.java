package fairlead.dialects.runai;

import java.nio.file.Path;
import java.util.Map;

/**
 * Where a command is typed, and where its job will run.
 *
 * @param folder absolute; relative paths begin here
 * @param project the default one; null where none is set
 * @param claims folders of the machine by the names of the claims that stand for them
 * @param cluster null: the server's own choice
 * @param images whether jobs run inside their images there
 * @param oneMachine whether they run on the server's machine: its ports are theirs, and folders
 *     stand for claims
 * @param account the numbers of whoever types, as {@code 1000:100}; null where nobody knows them
 */
public record Surroundings(
        Path folder,
        String project,
        Map<String, String> claims,
        String cluster,
        boolean images,
        boolean oneMachine,
        String account) {
    /** Images are of a cluster, and without them there is only the machine. */
    Surroundings(
            Path folder,
            String project,
            Map<String, String> claims,
            String cluster,
            boolean images,
            String account) {
        this(folder, project, claims, cluster, images, !images, account);
    }

    String path(String name) {
        return folder.resolve(name).normalize().toString();
    }
}
