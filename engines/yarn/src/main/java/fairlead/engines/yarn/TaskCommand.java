package fairlead.engines.yarn;

import fairlead.engine.MountSteps;
import fairlead.job.Container;
import fairlead.job.JobSpec;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How a task's command is run on its node: in a container of YARN's Docker runtime, in a mount
 * namespace where it has mounts, or as it is.
 *
 * @param folder where the keeper enters; empty: its container's own
 * @param setting variables that choose YARN's runtime
 */
record TaskCommand(List<String> words, String folder, Map<String, String> setting) {
    /**
     * Finds the programs of util-linux on the node, and enters a mount namespace: root as it is,
     * any other account as the root of a user namespace, and as itself again afterwards. Arguments:
     * the script of {@link MountSteps}, then its own from the working folder on.
     */
    private static final String ENTER =
            """
            PATH=$PATH:/usr/bin:/bin:/usr/sbin:/sbin
            for FAIRLEAD_TOOL in unshare mount umount pivot_root; do
                command -v $FAIRLEAD_TOOL >/dev/null || {
                    echo "fairlead: this node has no $FAIRLEAD_TOOL, so it gives no mounts" >&2
                    exit 126
                }
            done
            FAIRLEAD_TOOL=$(command -v unshare)
            FAIRLEAD_SCRIPT=$1
            shift
            set -- "$(command -v mount)" "$(command -v umount)" "$(command -v pivot_root)" "" "$@"
            if [ "$(id -u)" = 0 ]; then
                exec "$FAIRLEAD_TOOL" --mount -- /bin/sh -c "$FAIRLEAD_SCRIPT" fairlead "$@"
            fi
            FAIRLEAD_BACK="$FAIRLEAD_TOOL --user --map-user=$(id -u) --map-group=$(id -g) --"
            FAIRLEAD_MOUNT=$1 FAIRLEAD_UMOUNT=$2 FAIRLEAD_PIVOT=$3
            shift 4
            exec "$FAIRLEAD_TOOL" --user --map-root-user --mount -- /bin/sh -c "$FAIRLEAD_SCRIPT" \\
                fairlead "$FAIRLEAD_MOUNT" "$FAIRLEAD_UMOUNT" "$FAIRLEAD_PIVOT" "$FAIRLEAD_BACK" "$@"
            """;

    static TaskCommand of(YarnSettings settings, JobSpec spec, List<String> command) {
        Container container = spec.container();
        if (settings.docker() && container.image().isPresent())
            return new TaskCommand(command, spec.workingFolder(), docker(settings, container));
        if (container.mounts().isEmpty())
            return new TaskCommand(command, spec.workingFolder(), Map.of());
        var words = new ArrayList<>(List.of("/bin/sh", "-c", ENTER, "fairlead", MountSteps.SCRIPT));
        words.addAll(MountSteps.arguments(container.mounts(), spec.workingFolder(), command));
        return new TaskCommand(words, "", Map.of());
    }

    /** The image needs no Java: the node's is mounted beside the task. */
    private static Map<String, String> docker(YarnSettings settings, Container container) {
        var mounts = new ArrayList<Container.Mount>(container.mounts());
        Path home = Path.of(settings.java().orElseThrow()).getParent().getParent();
        mounts.add(new Container.Mount(home.toString(), home.toString(), true));
        var setting = new LinkedHashMap<String, String>();
        setting.put("YARN_CONTAINER_RUNTIME_TYPE", "docker");
        setting.put("YARN_CONTAINER_RUNTIME_DOCKER_IMAGE", container.image().orElseThrow());
        setting.put(
                "YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS",
                mounts.stream()
                        .map(
                                mount ->
                                        ((Container.Folder) mount.source()).path()
                                                + ":"
                                                + mount.target()
                                                + (mount.readOnly() ? ":ro" : ":rw"))
                        .collect(Collectors.joining(",")));
        return setting;
    }
}
