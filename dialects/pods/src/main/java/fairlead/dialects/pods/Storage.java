package fairlead.dialects.pods;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The volumes of a pod at the paths where its container wants them. */
final class Storage {
    private static final String SHM = "/dev/shm";

    /** Of a memory volume without a size, in a pod that does not say its memory. */
    private static final String SHM_DEFAULT = "8G";

    private final Map<String, Section> volumes = new LinkedHashMap<>();
    private final List<String> mounts = new ArrayList<>();
    private String shm;

    /**
     * @param memory the container's, in bytes, or null
     */
    static Storage of(Section spec, Section container, Long memory, List<Remark> remarks)
            throws Misuse {
        var storage = new Storage();
        for (Section volume : spec.sections("volumes")) {
            storage.volumes.put(volume.needed("name"), volume);
        }
        var unused = new LinkedHashMap<>(storage.volumes);
        for (Section mount : container.sections("volumeMounts")) {
            String name = mount.needed("name");
            unused.remove(name);
            storage.add(mount, storage.volumes.get(name), memory, remarks);
            mount.tellRest(remarks);
        }
        unused.forEach(
                (name, volume) ->
                        remarks.add(
                                new Remark(
                                        volume.line("name"),
                                        "the volume " + name + " is mounted nowhere")));
        return storage;
    }

    /** Null where there are none. */
    List<String> mounts() {
        return mounts.isEmpty() ? null : mounts;
    }

    /** The size of /dev/shm; null where the pod has none of its own. */
    String shm() {
        return shm;
    }

    private void add(Section mount, Section volume, Long memory, List<Remark> remarks)
            throws Misuse {
        String path = mount.needed("mountPath");
        if (volume == null) {
            throw mount.mistake("name", "is no volume of the pod: '" + mount.text("name") + "'");
        }
        if (mount.has("subPath")) {
            throw mount.mistake("subPath", "is not possible; mount the whole volume");
        }
        boolean readOnly = mount.flag("readOnly") != null;
        Section claim = volume.section("persistentVolumeClaim");
        Section folder = volume.section("hostPath");
        Section empty = volume.section("emptyDir");
        if (claim != null) {
            boolean isLocked = claim.flag("readOnly") != null;
            mount("claim:" + claim.needed("claimName"), path, readOnly || isLocked);
            claim.tellRest(remarks);
        } else if (folder != null) {
            mount(folder.needed("path"), path, readOnly);
            folder.pass("type");
            folder.tellRest(remarks);
        } else if (empty != null && path.equals(SHM)) {
            shm = shm(empty, memory);
            empty.tellRest(remarks);
        } else {
            throw volume.mistake(
                    "name",
                    (empty == null ? "is of a kind that is not possible" : "is empty at " + path)
                            + "; possible are persistentVolumeClaim, hostPath, and emptyDir at "
                            + SHM);
        }
    }

    private static String shm(Section empty, Long memory) throws Misuse {
        String medium = empty.text("medium");
        if (!"Memory".equals(medium)) {
            throw empty.mistake("medium", "must be Memory for a volume at " + SHM);
        }
        Quantity size = Quantity.of(empty, "sizeLimit");
        if (size != null) return Long.toString(size.whole());
        return memory == null ? SHM_DEFAULT : Long.toString(memory / 2);
    }

    private void mount(String source, String path, boolean readOnly) {
        mounts.add(source + ":" + path + (readOnly ? ":ro" : ""));
    }
}
