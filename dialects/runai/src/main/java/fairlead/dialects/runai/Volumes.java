package fairlead.dialects.runai;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a job finds at paths of its own: folders of the machine, and claims. Without containers a
 * claim is a folder too.
 */
final class Volumes {
    private final Surroundings here;
    private final List<String> mounts = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    Volumes(Surroundings here) {
        this.here = here;
    }

    List<String> mounts() {
        return mounts;
    }

    List<String> warnings() {
        return warnings;
    }

    /** {@code host:container[:ro|rw]}. */
    void addVolume(String text) throws Misuse {
        String[] parts = text.split(":", -1);
        boolean formed = parts.length == 2 || parts.length == 3 && isMode(parts[2]);
        if (!formed || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw new Misuse(
                    Flags.VOLUME.name() + " must be host:container[:ro], but is '" + text + "'");
        }
        mount(here.path(parts[0]), parts[1], parts.length == 3 && parts[2].equals("ro"));
    }

    /** {@code existing:path[:ro|rw]} or {@code [class]:size:path[:ro|rw]}. */
    void addClaim(String text) throws Misuse {
        String[] parts = text.split(":", -1);
        boolean isNew =
                parts.length == 4
                        || parts.length == 3 && (parts[0].isEmpty() || Size.isSize(parts[1]));
        boolean formed =
                isNew
                        ? Size.isSize(parts[1])
                                && parts[2].startsWith("/")
                                && (parts.length == 3 || isMode(parts[3]))
                        : (parts.length == 2 || parts.length == 3 && isMode(parts[2]))
                                && !parts[0].isEmpty()
                                && parts[1].startsWith("/");
        if (!formed) {
            throw new Misuse(
                    Flags.PVC.name()
                            + " must be existing:path[:ro|rw] or [class]:size:path[:ro|rw], but is"
                            + " '"
                            + text
                            + "'");
        }
        boolean readOnly = parts[parts.length - 1].equals("ro");
        if (isNew) addNewClaim(text, parts, readOnly);
        else claim(parts[0], parts[1], readOnly);
    }

    private void addNewClaim(String text, String[] parts, boolean readOnly) throws Misuse {
        if (here.oneMachine()) {
            throw new Misuse(
                    Flags.PVC.name()
                            + " "
                            + text
                            + ": no storage can be made here; make a folder and say -v FOLDER:"
                            + parts[2]);
        }
        String bytes = Size.bytes(Flags.PVC, parts[1]);
        mount("new-claim:" + parts[0] + ":" + bytes, parts[2], readOnly);
    }

    private void claim(String claim, String path, boolean readOnly) throws Misuse {
        if (!here.oneMachine()) {
            mount("claim:" + claim, path, readOnly);
            return;
        }
        String folder = here.claims().get(claim);
        if (folder != null) {
            mount(folder, path, readOnly);
            return;
        }
        if (!Files.isDirectory(Path.of(path))) {
            throw new Misuse(
                    Flags.PVC.name()
                            + ": the claim '"
                            + claim
                            + "' is unknown, and there is no folder "
                            + path
                            + "; 'runai config pvc "
                            + claim
                            + " FOLDER' says where it is, or say -v FOLDER:"
                            + path
                            + " instead");
        }
        warnings.add(Flags.PVC.name() + " " + claim + ": the machine's own " + path + " is used");
        // Outside images it is already where the job looks; only a right that is less needs work.
        if (readOnly || here.images()) mount(path, path, readOnly);
    }

    private static boolean isMode(String text) {
        return text.equals("ro") || text.equals("rw");
    }

    private void mount(String source, String path, boolean readOnly) {
        mounts.add(source + ":" + path + (readOnly ? ":ro" : ""));
    }
}
