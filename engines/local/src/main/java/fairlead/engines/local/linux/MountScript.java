package fairlead.engines.local.linux;

import fairlead.engine.MountSteps;
import fairlead.job.Container.Mount;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The steps by which a task gets a root of its own, with mounts: programs that become one another
 * by exec, and in their middle a shell script. The task is the child of its shim as ever.
 *
 * @param unshare like the others a program of util-linux, by its full path: the PATH is the task's
 */
public record MountScript(Path unshare, Path mount, Path umount, Path pivotRoot) {
    private static final List<String> FOLDERS = List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin");

    /** Whether a process, by its arguments, is still about to mount. */
    public static boolean isOnItsWay(String arguments) {
        return arguments.contains(MountSteps.SCRIPT);
    }

    /** A program of util-linux by its full path. */
    public static Optional<Path> program(String name) {
        return FOLDERS.stream()
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Empty when this machine lacks one of the programs. */
    public static Optional<MountScript> find() {
        var programs = new ArrayList<Path>();
        for (String name : List.of("unshare", "mount", "umount", "pivot_root")) {
            program(name).ifPresent(programs::add);
        }
        if (programs.size() < 4) return Optional.empty();
        return Optional.of(
                new MountScript(
                        programs.get(0), programs.get(1), programs.get(2), programs.get(3)));
    }

    /** For root, who keeps all that root may do. */
    List<String> plain(List<Mount> mounts, String workingFolder, List<String> command) {
        var words = new ArrayList<>(List.of(unshare.toString(), "--mount", "--"));
        words.addAll(script("", mounts, workingFolder, command));
        return words;
    }

    /**
     * For any account: it is root of a user namespace while it mounts, and itself again in a second
     * one.
     */
    List<String> asUser(
            int uid, int gid, List<Mount> mounts, String workingFolder, List<String> command) {
        String back = unshare + " --user --map-user=" + uid + " --map-group=" + gid + " --";
        var words = new ArrayList<>(List.of(unshare.toString(), "--user", "--map-root-user"));
        words.addAll(List.of("--mount", "--"));
        words.addAll(script(back, mounts, workingFolder, command));
        return words;
    }

    private List<String> script(
            String before, List<Mount> mounts, String workingFolder, List<String> command) {
        var words = new ArrayList<>(List.of(Shim.PROGRAM, "-c", MountSteps.SCRIPT, "fairlead"));
        words.addAll(List.of(mount.toString(), umount.toString(), pivotRoot.toString(), before));
        words.addAll(MountSteps.arguments(mounts, workingFolder, command));
        return words;
    }
}
