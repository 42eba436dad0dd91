package fairlead.engines.yarn.keeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Everything that runs in this container but the keeper and what has started it. YARN makes the
 * keeper the leader of a session of its own; whatever stays in it, or descends from the keeper,
 * belongs to the task. Where it does not, the session is somebody else's, and only descendants
 * count.
 */
final class Processes {
    /** In /proc/PID/stat after the name, which is in brackets: state, parent, group, session. */
    private static final int SESSION = 3;

    private Processes() {}

    static void terminate() {
        for (ProcessHandle each : all()) each.destroy();
    }

    static void kill() {
        for (ProcessHandle each : all()) each.destroyForcibly();
    }

    private static Set<ProcessHandle> all() {
        var self = ProcessHandle.current();
        var keep = new HashSet<ProcessHandle>();
        for (var each = Optional.of(self); each.isPresent(); each = each.get().parent()) {
            keep.add(each.get());
        }
        Set<ProcessHandle> found = self.descendants().collect(Collectors.toSet());
        long session = session(self.pid());
        if (session == self.pid()) {
            ProcessHandle.allProcesses()
                    .filter(each -> session(each.pid()) == session)
                    .forEach(found::add);
        }
        found.removeAll(keep);
        return found;
    }

    /** Zero when the process is gone. */
    private static long session(long pid) {
        try {
            String text = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] words = text.substring(text.lastIndexOf(')') + 2).split(" ");
            return Long.parseLong(words[SESSION]);
        } catch (IOException | RuntimeException gone) {
            return 0;
        }
    }
}
