package fairlead.dialects.dlscheduler;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The folders of the machine that a job finds below paths of its own. */
final class Folders {
    static final String CUSTOM = "/custom";
    static final String SNAPSHOTS = "/snapshots";
    static final String DATA = "/data";

    /** In the user's home; mounted without being asked for. */
    private static final String DATASETS = "datasets";

    private final Surroundings here;

    /** From the job's path to the machine's. */
    private final Map<String, Path> folders = new LinkedHashMap<>();

    Folders(Surroundings here) {
        this.here = here;
    }

    void add(Choice choice, String name, String target) throws Misuse {
        if (name == null) return;
        Path folder = here.path(name);
        if (!Files.isDirectory(folder)) {
            boolean exists = Files.exists(folder);
            throw new Misuse(
                    choice.name()
                            + (exists ? " is not a folder: " : ": there is no folder ")
                            + folder);
        }
        if (folder.toString().contains(":")) {
            throw new Misuse(choice.name() + " must not have a ':' in it: " + folder);
        }
        folders.put(target, folder);
    }

    void addDatasets() {
        here.home()
                .map(home -> home.resolve(DATASETS))
                .filter(datasets -> Files.isDirectory(datasets))
                .filter(datasets -> !datasets.toString().contains(":"))
                .ifPresent(datasets -> folders.put(DATA, datasets));
    }

    List<String> mounts() {
        var mounts = new ArrayList<String>();
        folders.forEach((target, folder) -> mounts.add(folder + ":" + target));
        return mounts;
    }

    /**
     * Refuses a script that is certainly not there.
     *
     * @param inImage whether an image may hold it, into which nobody here can look
     */
    void checkScript(Choice choice, String script, boolean inImage) throws Misuse {
        Path path = here.path(script);
        for (var entry : folders.entrySet()) {
            Path target = Path.of(entry.getKey());
            if (!path.startsWith(target)) continue;
            Path real = entry.getValue().resolve(target.relativize(path));
            if (Files.isRegularFile(real)) return;
            throw new Misuse(
                    choice.name()
                            + ": there is no "
                            + script
                            + ", because there is no file "
                            + real);
        }
        if (inImage || Files.isRegularFile(path)) return;
        String hint =
                path.startsWith(CUSTOM)
                        ? ": --custom_dir says which folder is mounted at " + CUSTOM
                        : path.startsWith(SNAPSHOTS)
                                ? ": --snapshots_dir says which folder is mounted at " + SNAPSHOTS
                                : " on this machine, and --image_name names no image that may hold"
                                        + " it";
        throw new Misuse(choice.name() + ": there is no file " + path + hint);
    }
}
