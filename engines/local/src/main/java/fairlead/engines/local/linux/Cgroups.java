package fairlead.engines.local.linux;

import fairlead.job.Resources;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Control groups (version 2) that hold a task to the CPUs and memory it asked for, one group for
 * each task with a limit. All of it is files: this class works on any folder, which is how it is
 * tested.
 *
 * @param root the group under which we make ours; cpu and memory are handed down there
 */
public record Cgroups(Path root) {
    private static final long PERIOD_MICROS = 100_000;
    private static final List<String> CONTROLLERS = List.of("cpu", "memory");
    private static final String HAND_DOWN = "+cpu +memory";

    /**
     * The nearest group above this process in which we may make groups with CPU and memory limits.
     *
     * @param mount where version 2 is mounted
     * @param self the text of /proc/self/cgroup
     */
    public static Optional<Cgroups> find(Path mount, String self) {
        var own = self.lines().filter(line -> line.startsWith("0::/")).findFirst();
        if (own.isEmpty()) return Optional.empty();
        Path group = mount.resolve(own.get().substring("0::/".length())).normalize();
        makeRoom(group);
        for (; group != null && group.startsWith(mount); group = group.getParent()) {
            if (!handsDown(group) || !Files.isWritable(group.resolve("cgroup.procs"))) continue;
            Path root = group.resolve("fairlead");
            try {
                if (!Files.isDirectory(root)) Files.createDirectory(root);
                Files.writeString(root.resolve("cgroup.subtree_control"), HAND_DOWN);
                return Optional.of(new Cgroups(root));
            } catch (IOException _) {
                // Not ours to write; perhaps the one above is.
            }
        }
        return Optional.empty();
    }

    /**
     * Where our own group was delegated to us (systemd: Delegate=yes), steps down into a group of
     * our own: the kernel lets a group hand limits down only when no process is in it.
     */
    private static void makeRoom(Path group) {
        if (handsDown(group) || !names(group.resolve("cgroup.controllers"))) return;
        Path below = group.resolve("fairlead-server");
        try {
            if (!Files.isDirectory(below)) Files.createDirectory(below);
            String self = Long.toString(ProcessHandle.current().pid());
            Files.writeString(below.resolve("cgroup.procs"), self);
            Files.writeString(group.resolve("cgroup.subtree_control"), HAND_DOWN);
        } catch (IOException _) {
            // Not delegated, or we are not alone in it. A group above may still do.
        }
    }

    private static boolean handsDown(Path group) {
        return names(group.resolve("cgroup.subtree_control"));
    }

    private static boolean names(Path file) {
        try {
            return Arrays.asList(Files.readString(file).strip().split(" "))
                    .containsAll(CONTROLLERS);
        } catch (IOException _) {
            return false;
        }
    }

    /** Makes the group, or finds it made; answers the file that takes the pid of who enters it. */
    public Path create(String name, Resources limits) throws IOException {
        Path group = root.resolve(name);
        try {
            Files.createDirectory(group);
        } catch (FileAlreadyExistsException _) {
            // A launch that is repeated.
        }
        if (limits.cpus() > 0) {
            Files.writeString(
                    group.resolve("cpu.max"), limits.cpus() * PERIOD_MICROS + " " + PERIOD_MICROS);
        }
        if (limits.memoryBytes() > 0) {
            Files.writeString(group.resolve("memory.max"), Long.toString(limits.memoryBytes()));
            // The whole task or nothing: half a task only wastes its GPUs.
            Files.writeString(group.resolve("memory.oom.group"), "1");
        }
        return group.resolve("cgroup.procs");
    }

    /** The file that takes the pid of who enters the group; empty when there is no such group. */
    public Optional<Path> entrance(String name) {
        return Optional.of(root.resolve(name).resolve("cgroup.procs")).filter(Files::exists);
    }

    public void kill(String name) throws IOException {
        Path file = root.resolve(name).resolve("cgroup.kill");
        // Linux before 5.14 has no such file; the search through /proc then does it alone.
        if (Files.exists(file)) Files.writeString(file, "1");
    }

    /** Whether the kernel killed the group for its memory. */
    public boolean ranOutOfMemory(String name) throws IOException {
        try (var lines = Files.lines(root.resolve(name).resolve("memory.events"))) {
            return lines.anyMatch(line -> line.matches("oom_kill [1-9]\\d*"));
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    /** False while a process of the group has not quite gone yet. An unknown group is removed. */
    public boolean remove(String name) {
        try {
            Files.deleteIfExists(root.resolve(name));
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
